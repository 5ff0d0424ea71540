"""All marks in a study's outputs that count: of the answers in its campaigns, and those that were imported."""

from collections.abc import Collection, Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple

import orjson

from annotation.answer_export.rows import TextOrigins
from annotation.effective_annotations import EFFECTIVE_ANNOTATIONS
from annotation.marked_texts import Mark, MarkedText
from annotation.task_types import TASK_TYPES, Settings
from corpora.database import stream_rows
from corpora.models import Sentence, Study
from foundation.text_keys import text_key

AT_ONCE = 1000

# The person's own marks, whatever a reviewer made of them, as judgements are read.
ANSWERED = (
    EFFECTIVE_ANNOTATIONS
    + """
SELECT effective.campaign_id, i.sentence_id, p.pseudonym::text, i.content, effective.said
FROM effective JOIN annotation_item i ON i.id = effective.item_id JOIN accounts_person p ON p.id = effective.person_id
ORDER BY effective.campaign_id, i.number, effective.submitted_at, effective.id
"""
)
IMPORTED = """
SELECT m.sentence_id, m.worker, t.text, m.text, m.marks, s.name
FROM evaluation_importedmarks m JOIN evaluation_ratingsimport i ON i.id = m.ratings_import_id
JOIN corpora_sentence t ON t.id = m.sentence_id LEFT JOIN corpora_system s ON s.id = m.system_id
WHERE i.study_id = %(study)s ORDER BY i.number, t.number, m.id
"""
SCORES = """
SELECT j.sentence_id, j.text_key, j.worker, j.value
FROM evaluation_judgement j JOIN evaluation_ratingsimport i ON i.id = j.ratings_import_id
JOIN annotation_criterion c ON c.id = j.criterion_id AND c.name = 'score'
WHERE i.study_id = %(study)s AND EXISTS (
    SELECT 1 FROM evaluation_importedmarks m JOIN evaluation_ratingsimport k ON k.id = m.ratings_import_id
    WHERE k.study_id = %(study)s)
ORDER BY j.id
"""


class OutputMarks(NamedTuple):
    """One person's marks in a text of a sentence, and their score of it; `systems` gave the text."""

    sentence: int
    rater: str
    source: str
    output: str
    systems: Sequence[str]
    marks: list[Mark]
    score: float | None


def output_marks(study: Study, without: Collection[int] = ()) -> Iterator[OutputMarks]:
    """Those of campaigns, in the order of their items, then imported ones. `without` are campaigns left out."""
    origins = TextOrigins(study)
    for rows in _batches(_of_campaigns(study, without)):
        origins.read(row.sentence for row in rows)
        yield from (_with_systems(row, origins) for row in rows)
    for rows in _batches(_imported(study)):
        origins.read(row.sentence for row in rows)
        yield from (row if row.systems else _with_systems(row, origins) for row in rows)


def _batches(rows: Iterator[OutputMarks]) -> Iterator[list[OutputMarks]]:
    while batch := list(islice(rows, AT_ONCE)):
        yield batch


def _with_systems(row: OutputMarks, origins: TextOrigins) -> OutputMarks:
    origin = origins.origin_of(row.sentence, row.output, row.source)
    return row._replace(systems=origin.systems or [origin.role])


def _of_campaigns(study: Study, without: Collection[int]) -> Iterator[OutputMarks]:
    chosen = {one.pk: one.settings for one in study.campaigns.filter(task_type="spans") if one.pk not in without}
    if not chosen:
        return
    for campaign, sentence, rater, content, said in stream_rows(ANSWERED, {"campaigns": list(chosen)}):
        yield _answered(sentence, rater, orjson.loads(content), orjson.loads(said), chosen[campaign])


def _answered(sentence: int, rater: str, content: Any, answer: Any, settings: Settings) -> OutputMarks:
    (values,) = TASK_TYPES["spans"].values(answer, content, settings)
    return OutputMarks(
        sentence, rater, content["source"], content["candidates"][0], (), answer["marks"], values.get("score")
    )


def _imported(study: Study) -> Iterator[OutputMarks]:
    scores = {tuple(row[:3]): row[3] for row in stream_rows(SCORES, {"study": study.pk})}
    for sentence, rater, source, output, marks, system in stream_rows(IMPORTED, {"study": study.pk}):
        score = scores.get((sentence, text_key(output), rater))
        yield OutputMarks(sentence, rater, source, output, [system] if system else [], orjson.loads(marks), score)


def marked_texts(study: Study) -> Iterator[MarkedText]:
    """The same with the names of their sources, as files of other programs have them."""
    rows = Sentence.objects.filter(direction__study=study).select_related("direction")
    names = {row.pk: (row.direction.name, str(row.number)) for row in rows.iterator(5000)}
    for row in output_marks(study):
        if row.sentence in names:
            yield MarkedText(*names[row.sentence], row.rater, row.source, row.output, row.systems, row.marks, row.score)
