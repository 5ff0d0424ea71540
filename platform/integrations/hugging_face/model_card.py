"""The card of a model on the Hub: YAML that its programs read, then Markdown for people.

https://huggingface.co/docs/hub/model-cards; the scores are in the form that its leaderboards read (`model-index`).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from annotation.gold.release.metadata import spdx_of
from foundation.papers import Paper
from foundation.translation import grouped


@dataclass(frozen=True)
class ModelScore:
    """A number of a metric, and of what it is: `number` outputs of one split ("" for all), in one direction."""

    metric: str
    label: str
    value: float
    signature: str
    study: str
    title: str
    direction: str
    split: str
    number: int

    @property
    def of(self) -> str:
        split = f", split {self.split}" if self.split else ""
        return f"{grouped(self.number)} outputs, {self.direction}{split}"


@dataclass(frozen=True)
class ToldModel:
    """A trained model as its card speaks of it. `license` and `terms` are those of the texts that it was trained on."""

    name: str
    label: str
    paper: Paper | None
    language: str
    license: str
    terms: str
    directions: Sequence[tuple[str, str]]
    trained: Sequence[tuple[str, str]]
    options: Sequence[tuple[str, str]]
    scores: Sequence[ModelScore]
    signatures: Sequence[str]
    files: Sequence[tuple[str, str]]


def model_card(told: ToldModel) -> str:
    """The text of `README.md`. Where the texts have terms, readers must agree to them before they see a file."""
    return f"---\n{_head(told)}\n---\n\n" + "\n".join(_body(told))


def _head(told: ToldModel) -> str:
    from huggingface_hub import EvalResult, ModelCardData  # of workers alone

    known = spdx_of(told.license)
    more: dict[str, Any] = {} if known or not told.license else {"license_name": told.license}
    if told.terms:
        more["extra_gated_prompt"] = told.terms
        more["extra_gated_fields"] = {"I accept these terms": "checkbox"}
    results = [
        EvalResult(
            task_type="text2text-generation", task_name="Text style transfer", dataset_type=one.study,
            dataset_name=f"{one.title}: {one.of}", metric_type=one.metric, metric_name=one.label,
            metric_value=one.value, metric_args={"signature": one.signature}, dataset_split=one.split or None,
        )
        for one in told.scores
    ]  # fmt: skip
    data = ModelCardData(
        language=told.language.partition("-")[0] or None, license=known.lower() if known else "other",
        library_name="restyle", tags=["text-style-transfer", "restyle"], eval_results=results or None,
        model_name=told.name, **more,
    )  # fmt: skip
    return str(data.to_yaml())


def _body(told: ToldModel) -> Iterator[str]:
    ways = ", ".join(f"{source} to {target}" for source, target in told.directions)
    paper = f" ({told.paper.authors} {told.paper.year}, {told.paper.title})" if told.paper else ""
    yield f"# {told.name}\n\n{told.label}{paper}, which rewrites texts: {ways or 'any direction'}.\n"
    yield "## Licence of the texts that it was trained on\n"
    yield f"{told.license or 'Nobody stated one.'}\n"
    if told.terms:
        yield f"{told.terms}\n"
    yield "## Scores\n"
    if told.scores:
        yield from _table(
            ("metric", "score", "of", "signature"),
            [(one.label, f"{one.value:g}", f"{one.title}: {one.of}", f"`{one.signature}`") for one in told.scores],
        )
    else:
        yield "No metric has scored its outputs yet.\n"
    if told.signatures:
        yield "## Signatures\n\nThe outputs were written under:\n"
        yield from (f"- `{one}`" for one in told.signatures)
        yield ""
    yield "## Training\n"
    yield from _table(("", ""), told.trained)
    yield "## Options\n"
    yield from _table(("option", "value"), [(f"`{name}`", value) for name, value in told.options])
    yield "## Files\n\nRestyle compares each with its SHA-256 before it reads it; none of them runs code.\n"
    yield from _table(("file", "SHA-256"), [(f"`{name}`", f"`{digest}`") for name, digest in told.files])
    yield "To run it: *Gold*, *Publish*, *Pull* of a study in Restyle, with the name of this repository.\n"


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(head)} |"
    yield f"|{'---|' * len(head)}"
    for row in rows:
        yield f"| {' | '.join(' '.join(cell.replace('|', '&#124;').split()) for cell in row)} |"
    yield ""
