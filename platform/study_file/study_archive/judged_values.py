"""All judgements of a study that count, of campaigns and from elsewhere, with the sentence that each is of."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from annotation.effective_annotations.judgements import judgements as campaign_judgements
from corpora.models import Study
from evaluation.models import Judgement


class JudgedValue(NamedTuple):
    """A value that one person gave a text; `system` is "" where it is of the text, whoever wrote that."""

    rater: str
    sentence: int
    text: str
    system: str
    criterion: str
    value: float
    seconds: float | None

    @property
    def number(self) -> str:
        """The value with all its digits."""
        short = f"{self.value:g}"
        return short if float(short) == self.value else repr(self.value)

    @property
    def spent(self) -> str:
        return "" if self.seconds is None else repr(self.seconds)


def judged_values(study: Study, first: Mapping[int, int]) -> Iterator[JudgedValue]:
    """`first` is, of each sentence, the first with the same source, whose the judgements of campaigns are."""
    imported = Judgement.objects.filter(ratings_import__study=study).order_by("pk")
    fields = ("worker", "sentence", "text_key", "system__name", "criterion__name", "value", "seconds")
    for worker, sentence, text, system, *rest in imported.values_list(*fields).iterator(5000):
        yield JudgedValue(worker, sentence, text, system or "", *rest)
    for one in campaign_judgements(study):
        sentence = first.get(one.sentence_id, one.sentence_id)
        yield JudgedValue(one.pseudonym, sentence, one.text_key, "", one.criterion, one.value, None)
