"""What a run rewrites: the sources of directions, each sentence by itself, or the documents of a study of documents.

The output of a document is that of its first sentence, and those of the others are empty: joined they are the document
(`corpora.texts.units.text_of`), as outputs are that came sentence by sentence.
"""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from django.db.models import QuerySet

from corpora.models import Direction, Output, Sentence, Study, System
from corpora.texts.units import text_of, units_of
from modelserving.models import TransferRun


class Source(NamedTuple):
    """A text to rewrite, with the keys of its sentences."""

    ids: Sequence[int]
    text: str


class RunSources:
    """The sources that a run takes, sentence by sentence."""

    one = "source"

    def __init__(self, run: TransferRun, directions: Sequence[Direction]) -> None:
        assert run.system is not None
        self.run, self.directions, self.system = run, directions, run.system

    def count(self) -> int:
        return self._sentences(self.directions).count()

    def count_done(self) -> int:
        return Output.objects.filter(system=self.system, sentence__in=self._sentences(self.directions)).count()

    def waiting(self, direction: Direction, window: int) -> Iterator[list[Source]]:
        """Those of a direction without an output, in their order, so many at a time."""
        sentences = self._sentences([direction]).exclude(outputs__system=self.system).order_by("number")
        last = 0
        while rows := list(sentences.filter(number__gt=last).values_list("pk", "text", "number")[:window]):
            last = rows[-1][2]
            yield [Source([pk], text) for pk, text, _ in rows]

    def _sentences(self, directions: Sequence[Direction]) -> QuerySet[Sentence]:
        sentences = Sentence.objects.filter(direction__in=directions)
        return sentences.filter(split=self.run.split) if self.run.split else sentences


class RunDocuments(RunSources):
    """The documents that a run takes; those that lie in several splits belong to none of them."""

    one = "document"

    def __init__(self, run: TransferRun, directions: Sequence[Direction]) -> None:
        super().__init__(run, directions)
        homes = dict(self._sentences(directions).values_list("pk", "direction_id"))
        self._units = [(homes[unit.ids[0]], unit.ids) for unit in units_of(run.study) if all(map(homes.get, unit.ids))]

    def count(self) -> int:
        return len(self._units)

    def count_done(self) -> int:
        done = self._done()
        return sum(ids[0] in done for _, ids in self._units)

    def waiting(self, direction: Direction, window: int) -> Iterator[list[Source]]:
        done = self._done()
        units = (ids for home, ids in self._units if home == direction.pk and ids[0] not in done)
        while listed := list(islice(units, window)):
            keys = [pk for ids in listed for pk in ids]
            texts = dict(Sentence.objects.filter(pk__in=keys).values_list("pk", "text"))
            yield [Source(ids, text_of(ids, texts)) for ids in listed]

    def _done(self) -> set[int]:
        return set(self.system.outputs.values_list("sentence_id", flat=True))


def sources_of(run: TransferRun, directions: Sequence[Direction]) -> RunSources:
    """What the run takes of these directions."""
    return (RunDocuments if run.study.unit == Study.Unit.DOCUMENT else RunSources)(run, directions)


def store(system: System, sources: Sequence[Source], texts: Sequence[str]) -> int:
    """Store the outputs of a batch that are not empty; how many they are.

    Two workers that both hold a job for a moment cannot double an output: the database refuses.
    """
    written = [(source.ids, text) for source, text in zip(sources, texts, strict=True) if text.strip()]
    Output.objects.bulk_create(
        [
            Output(system=system, sentence_id=pk, text="" if place else text)
            for ids, text in written
            for place, pk in enumerate(ids)
        ],
        ignore_conflicts=True,
    )
    return len(written)
