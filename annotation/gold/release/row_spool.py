"""The rows of a release in a temporary file, so that every form is written from the same rows, and from the disk."""

import hashlib
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cached_property
from tempfile import TemporaryFile
from typing import IO, Any

import numpy as np
import orjson
from django.db import connection, transaction

from annotation.gold.adoption import held_texts
from annotation.gold.release.rows import ReleaseRow
from corpora.formats import GoldRow
from corpora.gold_records import entry_of, row_again
from corpora.models import Study
from foundation.text_keys import text_digest

BATCH = 500
HELD = ("tune", "test")
DIGESTS = np.dtype([("identity", "<u8"), ("content", "<u8")])


class RowSpool:
    """Rows sorted by their sources. About 60 bytes of each row stay in memory, whatever it holds.

    `held` are the digests of the texts that its rows hold out from training, by split. `digests` tell rows and their
    contents apart (8 bytes of BLAKE2 each): the next release is compared by them.
    """

    def __init__(self) -> None:
        self.file: IO[bytes] = TemporaryFile()  # noqa: SIM115 (closed by `close`)
        self.offsets, self.first, self.second = array("q"), array("q"), array("q")
        self.hashes = bytearray()
        self.counts: Counter[tuple[str, str, str]] = Counter()  # by kind, split and campaign
        self.people: set[int] = set()
        self.answers = array("q")  # that made a row, or decided about one
        self.held = {name: array("q") for name in HELD}
        self.place = 0

    def add(self, release_row: ReleaseRow) -> None:
        row = release_row.row
        line = orjson.dumps(entry_of(row)) + b"\n"
        self.file.write(line)
        self.offsets.append(self.place)
        self.first.append(release_row.order[0])
        self.second.append(release_row.order[1])
        self.place += len(line)
        self.hashes += _digest(release_row.identity.encode())
        self.hashes += _digest(orjson.dumps([row.split, row.domain, row.product]))
        if row.split in self.held:
            self.held[row.split].extend(map(text_digest, held_texts(row)))
        self.counts[row.kind, row.split, row.campaign] += 1
        if release_row.answer is not None:
            self.answers.append(release_row.answer)
        self.people.update(release_row.people)

    def count(self, part: int) -> Counter[str]:
        """Rows by kind (part 0), split (1) or campaign (2)."""
        counts: Counter[str] = Counter()
        for key, rows in self.counts.items():
            counts[key[part]] += rows
        return counts

    def held_keys(self, split: str) -> "array[int]":
        """The digests of a split in ascending order, each once, in 8 bytes each."""
        keys = np.sort(np.asarray(self.held[split]))
        first = np.append(True, keys[1:] != keys[:-1])[: len(keys)]  # np.unique loads numpy.ma, 2 MB
        return array("q", keys[first].tobytes())

    def __len__(self) -> int:
        return len(self.offsets)

    @property
    def sources(self) -> int:
        """How many different sources there are."""
        first, second = (np.asarray(keys)[self._sequence] for keys in (self.first, self.second))
        return len(self) and 1 + int(np.count_nonzero((first[1:] != first[:-1]) | (second[1:] != second[:-1])))

    @property
    def digests(self) -> np.ndarray:
        return np.frombuffer(bytes(self.hashes), dtype=DIGESTS)

    @cached_property
    def _sequence(self) -> np.ndarray:
        """The order of the rows by their sources; rows of one source stay as they came. Asked for at the end."""
        return np.lexsort((self.second, self.first))

    def lines(self) -> Iterator[bytes]:
        """The rows as JSON lines in that order."""
        ordered = bool(np.all(self._sequence[1:] > self._sequence[:-1]))
        self.file.seek(0)
        if ordered:
            yield from self.file
            return
        for number in self._sequence.tolist():
            self.file.seek(self.offsets[number])
            yield self.file.readline()

    def rows(self, holds: Callable[[str], bool], split: str = "") -> Iterator[GoldRow]:
        """The rows of the kinds that a form holds, of one split where it is named."""
        for line in self.lines():
            entry = orjson.loads(line)
            if holds(entry["kind"]) and (not split or entry["split"] == split):
                yield row_again(entry)

    def close(self) -> None:
        self.file.close()


def _digest(data: bytes) -> bytes:
    return hashlib.blake2b(data, digest_size=8).digest()


def chunked(lines: Iterable[bytes]) -> Iterator[bytes]:
    """Lines in chunks of a few hundred."""
    chunk: list[bytes] = []
    for line in lines:
        chunk.append(line)
        if len(chunk) == BATCH:
            yield b"".join(chunk)
            chunk = []
    if chunk:
        yield b"".join(chunk)


def count_changes(now: np.ndarray, before: np.ndarray) -> dict[str, int]:
    """How many rows were added, removed and changed between two releases, by their `digests`."""
    both, now_places, before_places = np.intersect1d(now["identity"], before["identity"], return_indices=True)
    return {
        "added": len(now) - len(both),
        "removed": len(before) - len(both),
        "changed": int(np.count_nonzero(now["content"][now_places] != before["content"][before_places])),
    }


ONE_MOMENT = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY"
# The split of each text that was there at the moment (up to the last key of each).
SPLITS = """
SELECT md5(coalesce(string_agg(s.id || s.split, ',' ORDER BY s.id), '')),
       (SELECT md5(coalesce(string_agg(d.id || d.split, ',' ORDER BY d.id), ''))
        FROM corpora_document d WHERE d.study_id = %(study)s AND d.id <= %(document)s)
FROM corpora_sentence s JOIN corpora_direction r ON r.id = s.direction_id
WHERE r.study_id = %(study)s AND s.id <= %(sentence)s
"""
LAST = "SELECT coalesce((SELECT max(id) FROM corpora_document), 0), coalesce((SELECT max(id) FROM corpora_sentence), 0)"
Aside = Callable[..., None]


@contextmanager
def consistent_read() -> Iterator[Aside]:
    """Read everything within as it was at the beginning; in a caller's transaction, as that transaction reads.

    It gives a function that runs another one aside, on a connection of its own, since a job's progress is no part of
    the data read.
    """
    if connection.in_atomic_block:
        yield lambda act, *given: act(*given)
        return
    with ThreadPoolExecutor(1) as pool:
        try:
            with transaction.atomic():
                with connection.cursor() as cursor:
                    cursor.execute(ONE_MOMENT)
                yield lambda act, *given: pool.submit(act, *given).result()
        finally:
            pool.submit(lambda: connection.close()).result()  # the connection of that thread


class SplitDigest:
    """The splits of a study's texts as they were; `changed` says whether they are others now."""

    def __init__(self, study: Study) -> None:
        with connection.cursor() as cursor:
            document, sentence = cursor.execute(LAST).fetchone()
        self.asked = {"study": study.pk, "document": document, "sentence": sentence}
        self.were = self._now()

    def _now(self) -> Any:
        with connection.cursor() as cursor:
            return cursor.execute(SPLITS, self.asked).fetchone()

    def changed(self) -> bool:
        return bool(self._now() != self.were)
