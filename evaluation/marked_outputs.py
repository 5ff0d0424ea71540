"""All marks in a study's outputs that count: of the answers in its campaigns, and those that were imported."""

from collections.abc import Collection, Iterable, Iterator
from itertools import chain, islice
from typing import Any

import orjson

from annotation.answer_export.rows import TextOrigins
from annotation.campaigns.suggested_marks import ByText
from annotation.effective_annotations import EFFECTIVE_ANNOTATIONS, SECONDS
from annotation.marked_texts import MarkedText, cost_of
from annotation.models import Campaign, MachineRater
from annotation.task_types import TASK_TYPES, Settings
from annotation.task_types.spans import MARK_SCORE, SHOWN, SUGGESTED
from corpora.database import stream_rows
from corpora.models import Sentence, Study
from evaluation.snapshot import MarkedOutput
from foundation.text_keys import text_key

AT_ONCE = 1000

# The person's own marks, whatever a reviewer made of them, as judgements are read.
ANSWERED = (
    EFFECTIVE_ANNOTATIONS
    + f"""
SELECT effective.campaign_id, i.sentence_id, p.pseudonym::text, i.content, effective.said, {SECONDS}
FROM effective JOIN annotation_item i ON i.id = effective.item_id JOIN accounts_person p ON p.id = effective.person_id
ORDER BY effective.campaign_id, i.number, effective.submitted_at, effective.id
"""  # noqa: S608 (all parts stand in this program)
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


def output_marks(
    study: Study, without: Collection[int] = (), machines: Iterable[MachineRater] = ()
) -> Iterator[MarkedOutput]:
    """Those of campaigns, in the order of their items, then imported ones. `without` are campaigns left out, `machines`
    are language models that count among people."""
    origins = TextOrigins(study)
    for rows in _batches(chain(_of_campaigns(study, without), _of_machines(machines))):
        origins.read(row.sentence for row in rows)
        yield from (_with_systems(row, origins) for row in rows)
    for rows in _batches(_imported(study)):
        origins.read(row.sentence for row in rows)
        yield from (row if row.systems else _with_systems(row, origins) for row in rows)


def machine_marks(study: Study, machines: Iterable[MachineRater]) -> Iterator[MarkedOutput]:
    """Those of language models."""
    origins = TextOrigins(study)
    for rows in _batches(_of_machines(machines)):
        origins.read(row.sentence for row in rows)
        yield from (_with_systems(row, origins) for row in rows)


def _batches(rows: Iterator[MarkedOutput]) -> Iterator[list[MarkedOutput]]:
    while batch := list(islice(rows, AT_ONCE)):
        yield batch


def _with_systems(row: MarkedOutput, origins: TextOrigins) -> MarkedOutput:
    origin = origins.origin_of(row.sentence, row.output, row.source)
    return row._replace(systems=origin.systems or [origin.role])


def _of_campaigns(study: Study, without: Collection[int]) -> Iterator[MarkedOutput]:
    yield from _answers([one for one in study.campaigns.filter(task_type="spans") if one.pk not in without])


def _of_machines(machines: Iterable[MachineRater]) -> Iterator[MarkedOutput]:
    for machine in machines:
        if machine.campaign.task_type == "spans":
            yield from (row._replace(rater=machine.shown) for row in _answers([machine.campaign]))


def _answers(campaigns: Iterable[Campaign]) -> Iterator[MarkedOutput]:
    chosen = {one.pk: one.settings for one in campaigns}
    if not chosen:
        return
    for campaign, sentence, rater, content, said, seconds in stream_rows(ANSWERED, {"campaigns": list(chosen)}):
        marked = _answered(sentence, rater, orjson.loads(content), orjson.loads(said), chosen[campaign])
        yield marked._replace(seconds=seconds)


def _answered(sentence: int, rater: str, content: Any, answer: Any, settings: Settings) -> MarkedOutput:
    (values,) = TASK_TYPES["spans"].values(answer, content, settings)
    score, cost = values.get("score"), values.get(MARK_SCORE)
    suggested, shown = content.get(SUGGESTED), content.get(SHOWN, False)
    texts = content["source"], content["candidates"][0]
    return MarkedOutput(sentence, rater, *texts, (), answer["marks"], score, cost, suggested, shown)


def _imported(study: Study) -> Iterator[MarkedOutput]:
    scores = {tuple(row[:3]): row[3] for row in stream_rows(SCORES, {"study": study.pk})}
    for sentence, rater, source, output, marks, system in stream_rows(IMPORTED, {"study": study.pk}):
        score, own = scores.get((sentence, text_key(output), rater)), orjson.loads(marks)
        yield MarkedOutput(sentence, rater, source, output, [system] if system else [], own, score, cost_of(own))


def imported_marks(study: Study, rater: str) -> ByText:
    """The imported marks of one rater."""
    given = (one for one in _imported(study) if one.rater == rater)
    return {(one.sentence, text_key(one.output)): list(map(dict, one.marks)) for one in given}


def marked_texts(study: Study, without: Collection[int] = ()) -> Iterator[MarkedText]:
    """The same with the names of their sources, as files of other programs have them."""
    rows = Sentence.objects.filter(direction__study=study).select_related("direction")
    names = {row.pk: (row.direction.name, str(row.number)) for row in rows.iterator(5000)}
    for row in output_marks(study, without):
        if row.sentence in names:
            yield MarkedText(*names[row.sentence], row.rater, row.source, row.output, row.systems, row.marks, row.score)
