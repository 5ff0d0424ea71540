"""What a study holds, in the form in which kinds of tables say what is right."""

from corpora.models import Output, Reference, Sentence, Study
from evaluation.models import Judgement

Texts = tuple[list[str], list[dict[str, str]], dict[str, dict[str, str]]]


def stored_texts(study: Study) -> Texts:
    """The sources in their order, the references by set, the outputs by system."""
    sources = Sentence.objects.filter(direction__study=study, number__gt=0).order_by("number")
    sets: dict[int, dict[str, str]] = {}
    references = Reference.objects.filter(set__direction__study=study).order_by("set__number")
    for number, source, text in references.values_list("set__number", "sentence__text", "text"):
        sets.setdefault(number, {})[source] = text
    outputs: dict[str, dict[str, str]] = {}
    written = Output.objects.filter(system__study=study)
    for name, source, text in written.values_list("system__name", "sentence__text", "text"):
        outputs.setdefault(name, {})[source] = text
    return list(sources.values_list("text", flat=True)), list(sets.values()), outputs


def stored_judgements(study: Study) -> dict[tuple[str, int, str, str], float]:
    """The imported values by rater, number of the source, text and criterion."""
    rows = Judgement.objects.filter(ratings_import__study=study)
    fields = ("worker", "sentence__number", "text_key", "criterion__name", "value")
    return {row[:4]: row[4] for row in rows.values_list(*fields)}
