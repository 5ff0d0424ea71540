"""What a release reads is of one moment, however long it reads."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

from django.db import connection, transaction

from corpora.models import Study

ONE_MOMENT = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY"
# Of the texts that were there at the moment (up to the last key of each), which is in which split.
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
    """All that is read within is as it was at the beginning. It gives what runs a function aside, on a connection of
    its own, since a job's progress is no part of what is read. In a caller's transaction it is that one's reading.
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
