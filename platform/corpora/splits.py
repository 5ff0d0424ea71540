"""Train, dev and test: random splits, and the texts held out of training."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, TypeVar

from django.db import connection

from corpora.database import stream_rows
from corpora.models import Sentence, Study
from corpora.texts.columns import plain
from corpora.texts.streamed_units import stream_units
from foundation.errors import UserError
from foundation.seeds import generator
from foundation.text_keys import text_digest

# Texts held out of training: those of the test split of a study, or of a test split that was released on this site.
#
# Code that makes a text a source or a reference to train or tune on asks here. Texts are the same where they differ in
# case, spaces, punctuation and the form of their Unicode alone (`foundation.text_keys.normalized_key`): a model that
# saw such a text knows the answer, though judgements tell the two apart. A document is held out
# where all of it is such a text, or where most of its sentences are: a few of them stand in many documents.

TRAIN, TUNE, TEST = Sentence.Split.TRAIN, Sentence.Split.TUNE, Sentence.Split.TEST
HELD_FROM = {TRAIN.value: (TUNE.value, TEST.value), TUNE.value: (TEST.value,)}
"""What is held out from each split: a text to tune on is none to train on either."""
BATCH = 5000
DOCUMENTS_AT_ONCE = 200
OTHER = "a release of another study"
T = TypeVar("T")

OWN = """
SELECT s.split, s.text, '' FROM corpora_sentence s JOIN corpora_direction d ON d.id = s.direction_id
WHERE d.study_id = %(study)s AND s.split <> 'train'
UNION ALL
SELECT s.split, r.text, t.marks FROM corpora_reference r JOIN corpora_sentence s ON s.id = r.sentence_id
JOIN corpora_referenceset t ON t.id = r.set_id JOIN corpora_direction d ON d.id = s.direction_id
WHERE d.study_id = %(study)s AND s.split <> 'train' AND r.text <> ''
"""
RELEASED = """
SELECT DISTINCT ON (key) key, split, CASE WHEN study_id = %(study)s THEN release END FROM corpora_heldouttext
WHERE key = ANY(%(keys)s) AND split = ANY(%(splits)s) AND (split = 'test' OR study_id = %(study)s)
ORDER BY key, study_id <> %(study)s, split
"""


class HeldOut:
    """The texts held out of a study: its own tune and test splits as they are now, and those of releases.

    With `released`, those of releases alone.
    """

    def __init__(self, study: Study, *, released: bool = False) -> None:
        self.study = study
        self.own: dict[str, set[int]] = {TUNE.value: set(), TEST.value: set()}
        if not released:
            self._read()

    def _read(self) -> None:
        for split, text, marks in stream_rows(OWN, {"study": self.study.pk}, BATCH):
            self.own[split].add(text_digest(plain(text, marks)))
        if self.study.unit == Study.Unit.DOCUMENT:
            self._read_documents()

    def _read_documents(self) -> None:
        directions = list(self.study.directions.all())
        for split in (TUNE, TEST):
            for unit in stream_units(self.study, directions, split):
                self.add(split, [unit.source, *(reference.text for reference in unit.references.values())])

    def add(self, split: str, texts: Iterable[str]) -> None:
        """Hold further texts out, which are about to come into that split."""
        if split in self.own:
            self.own[split].update(map(text_digest, texts))

    def places(self, split: str, texts: Sequence[str]) -> list[str]:
        """For each text that would come into `split`, the place where it stands already; "" where it may come in."""
        splits = HELD_FROM.get(split, ())
        if not splits or not texts:
            return [""] * len(texts)
        keys = [text_digest(text) for text in texts]
        released = self._released(keys, splits)
        return [self._place(key, splits) or released.get(key, "") for key in keys]

    def _place(self, key: int, splits: Sequence[str]) -> str:
        return next((f"the {split} split of this study" for split in reversed(splits) if key in self.own[split]), "")

    def _released(self, keys: Sequence[int], splits: Sequence[str]) -> dict[int, str]:
        """The place in a release of each key; that of another study is not named: not everybody may know of it."""
        asked: dict[str, Any] = {"study": self.study.pk, "keys": list(set(keys)), "splits": list(splits)}
        with connection.cursor() as cursor:
            cursor.execute(RELEASED, asked)
            return {
                key: f"the {split} split of {OTHER if release is None else f'release {release}'}"
                for key, split, release in cursor.fetchall()
            }

    def free(
        self,
        split: str,
        rows: Iterable[T],
        texts: Callable[[T], Sequence[str]],
        left: Counter[str] | None = None,
        parts: Callable[[T], Sequence[str]] | None = None,
    ) -> Iterator[T]:
        """The rows without a text that is held out, streamed; `left` counts the others by where they stand.

        At most half of a row's `parts`, the sentences of a document, may be held out.
        """
        every = iter(rows)
        while batch := list(islice(every, DOCUMENTS_AT_ONCE if parts else BATCH)):
            listed = [(texts(row), parts(row) if parts else ()) for row in batch]
            found = iter(self.places(split, [text for both in listed for one in both for text in one]))
            for row, (whole, pieces) in zip(batch, listed, strict=True):
                place = next(filter(None, [next(found) for _ in whole]), "") or _most([next(found) for _ in pieces])
                if not place:
                    yield row
                elif left is not None:
                    left[place] += 1


def _most(places: Sequence[str]) -> str:
    """The place where most of the parts stand already; "" where at least half of them are free."""
    held = list(filter(None, places))
    return held[0] if 2 * len(held) > len(places) else ""


def held_places(study: Study, split: str, texts: Sequence[str]) -> list[str]:
    """`HeldOut.places` for texts that come at once; does not ask the database for texts to test with."""
    return HeldOut(study).places(split, texts) if split in HELD_FROM and texts else [""] * len(texts)


def left_out_message(left: Mapping[str, int], what: str = "texts") -> str:
    """The sentence about what was left out; "" where nothing was."""
    total = sum(left.values())
    if not total:
        return ""
    places = ", ".join(f"{place} ({count:,})" if len(left) > 1 else place for place, count in sorted(left.items()))
    if total == 1:
        return f"1 {what.removesuffix('s')} left out: it stands in {places}."
    return f"{total:,} {what} left out: they stand in {places}."


STORE = "COPY corpora_heldouttext (study_id, release, split, key) FROM STDIN"


def store_released(study: Study, release: int, held: Mapping[str, Sequence[int]]) -> None:
    """Remember the texts of a release's tune and test splits, by their digests. They are read by their index, so that
    the table need not be counted again."""
    with connection.cursor() as cursor, connection.wrap_database_errors, cursor.copy(STORE) as copy:
        for split, keys in held.items():
            row = f"{study.pk}\t{release}\t{split}\t"
            for start in range(0, len(keys), BATCH):
                copy.write("".join([f"{row}{key}\n" for key in keys[start : start + BATCH]]))


# Units shared out to train, tune and test: by a seed, whole units, in the proportions that are asked for.

SPLITS = ("train", "tune", "test")
RULES = ("random", "document", "question")


def validate_proportions(given: Mapping[str, float]) -> dict[str, float]:
    """The proportions in per cent, by split; a UserError unless they are 0 or more and 100 together."""
    strange = [name for name in given if name not in SPLITS]
    if strange:
        raise UserError(
            "'{strange}' is not a split; the splits are train, tune and test.", strange=strange[0], where="proportions"
        )
    whole = {name: float(given.get(name, 0)) for name in SPLITS}
    if any(not 0 <= value <= 100 for value in whole.values()) or abs(sum(whole.values()) - 100) > 1e-6:
        raise UserError("The three proportions are 0 or more and together 100.", where="proportions")
    return whole


def random_split(units: Sequence[int], proportions: Mapping[str, float], *path: object, seed: int) -> dict[int, str]:
    """The split of each unit. Their order is drawn by `seed` and `path`; the counts are those nearest to the
    proportions (largest remainder)."""
    order = generator(seed, "splits", *path).permutation(len(units))
    counts = _counts(len(units), proportions)
    names = [name for name in SPLITS for _ in range(counts[name])]
    return {units[place]: name for place, name in zip(order, names, strict=True)}


def _counts(total: int, proportions: Mapping[str, float]) -> dict[str, int]:
    exact = {name: total * proportions[name] / 100 for name in SPLITS}
    counts = {name: int(exact[name] + 1e-9) for name in SPLITS}
    by_remainder = sorted(SPLITS, key=lambda name: counts[name] - exact[name])
    for name in by_remainder[: total - sum(counts.values())]:
        counts[name] += 1
    return counts


def connected_components(members: Iterable[int], ties: Iterable[tuple[int, int]]) -> dict[int, int]:
    """For each member, the least one of those that it is tied to, over any number of ties."""
    head = {member: member for member in members}

    def root(one: int) -> int:
        while head[one] != one:
            head[one] = one = head[head[one]]
        return one

    for one, other in ties:
        low, high = sorted((root(one), root(other)))
        head[high] = low
    return {one: root(one) for one in head}
