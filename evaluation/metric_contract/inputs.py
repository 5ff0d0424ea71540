"""What a metric scores: the outputs of a system, and all that they may be compared with."""

from dataclasses import dataclass, field

from evaluation.learned_scorers.training_material import ConceptLinker, TrainingMaterial
from foundation.errors import UserError, first_five

MATERIAL = frozenset({"texts", "rated", "style_words"})


@dataclass(frozen=True)
class MetricInput:
    """The n outputs of one system and what they are scored against, in sentence order.

    A list has n entries, or none where a metric does not need it.

    Attributes:
        sources: The source of each output.
        outputs: The outputs.
        references: The references of each output; their number may differ from sentence to sentence.
        source_styles: The style of each source.
        target_styles: The style that each output is to have.
        terms: Of each sentence, for each reference of a set whose terms are marked, the full forms that stand in
            brackets, which may be none.
        link: Finds the concepts of a text.
        material: What a study has to train a metric on.
        language: The language of the texts, a BCP 47 tag; "" is English.
    """

    sources: list[str]
    outputs: list[str]
    references: list[list[str]]
    source_styles: list[str] = field(default_factory=list)
    target_styles: list[str] = field(default_factory=list)
    terms: list[list[list[str]]] = field(default_factory=list)
    link: ConceptLinker | None = None
    material: TrainingMaterial | None = None
    language: str = ""

    def __post_init__(self) -> None:
        for name in ("sources", "references", "source_styles", "target_styles", "terms"):
            given = len(getattr(self, name))
            if given not in (0, len(self.outputs)):
                raise UserError(
                    "There are {outputs_count} outputs but {given} {name}.",
                    outputs_count=len(self.outputs),
                    given=given,
                    name=name,
                )

    def reference_count(self) -> str:
        """'4' where every sentence has four references, 'var' where their numbers differ, '0' without any."""
        counts = {len(each) for each in self.references} or {0}
        return str(counts.pop()) if len(counts) == 1 else "var"


def require(batch: MetricInput, needs: frozenset[str], name: str) -> None:
    """Check that an input holds what a metric needs.

    Args:
        batch: The input.
        needs: What the metric needs, as `Metric.needs` says it.
        name: The metric's name.

    Raises:
        UserError: It has no output, or lacks something of these.
    """
    if not batch.outputs:
        raise UserError("There are no outputs to score.", where=name)
    if "sources" in needs and not batch.sources:
        raise UserError("This metric compares with the sources, and there are none.", where=name)
    if "styles" in needs and not batch.target_styles:
        raise UserError("This metric asks for each output's target style, and there are none.", where=name)
    if batch.material is None and needs & MATERIAL:
        raise UserError("This metric is trained, and there is nothing to train it on.", where=name)
    if "link" in needs and batch.link is None:
        raise UserError("This metric needs a linker of concepts.", where=name)
    if "references" in needs:
        bare = [i + 1 for i in range(len(batch.outputs)) if not batch.references or not batch.references[i]]
        if bare:
            raise UserError("These sentences have no reference: {bare}.", bare=first_five(bare), where=name)
