"""Every revision of an answer with its facts, its texts, and the origins of these."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache, cached_property
from typing import Any, NamedTuple

import orjson
from django.db import connection, transaction

from annotation.attention_checks import ATTENTION_CHECK, AttentionChecks
from annotation.campaigns.expected_answers import opening_words
from annotation.effective_annotations import EFFECTIVE_ANNOTATIONS
from annotation.models import Campaign
from annotation.task_types import TASK_TYPES, Answer, Said
from annotation.task_types.spans import MARK
from corpora.models import Study
from corpora.texts.columns import plain
from corpora.texts.units import text_of, units_of
from foundation.text_keys import text_key

BATCH = 1000
FACTS = (
    "study", "campaign", "task", "purpose", "annotator", "machine", "revision", "state", "counts", "outcome", "late",
    "pilot", "seconds", "started_at", "submitted_at", "guideline_version", "verdict", "reason", "comment", "reply",
    "reviewer", "reviewed_at", "flags",
)  # fmt: skip
"""What is known of an answer. `machine` is "" of a person's, else the model, prompt and samples that it comes from."""
ABOUT = ("item", "control", "source_id", "split", "domain", "document", "group", "question", "topic", "source")
"""What is known of its item; the source comes from its content."""

# An assignment remembers the person who has it, and since when, but no later revision. `judged` knows the answers that
# could count; why another one cannot is said in a word.
_ANSWERS = """, said AS (
    SELECT DISTINCT ON (r.answer_id) r.answer_id, r.verdict, r.reason, r.comment, r.reply, r.reviewer_id, r.made_at,
           CASE WHEN r.verdict = 'fixed' THEN r.content END AS fixed
    FROM annotation_review r JOIN annotation_answer a ON a.id = r.answer_id
    WHERE a.campaign_id = ANY(%(campaigns)s) ORDER BY r.answer_id, r.made_at DESC, r.id DESC
), people AS (
    SELECT * FROM unnest(%(people)s::integer[], %(names)s::text[]) AS p(id, name)
), flags AS (
    SELECT * FROM unnest(%(flagged)s::bigint[], %(flags)s::jsonb[]) AS f(id, names)
)
SELECT i.id, i.sentence_id, a.outcome, a."order", row_to_json(facts)::text, row_to_json(about)::text, i.content,
       coalesce(said.fixed, a.content), CASE WHEN said.fixed IS NOT NULL THEN a.content END
FROM annotation_answer a
{way} j ON j.id = a.id
JOIN annotation_campaign c ON c.id = a.campaign_id
JOIN annotation_item i ON i.id = a.item_id
JOIN annotation_assignment s ON s.id = a.slot_id
JOIN people ON people.id = a.person_id
LEFT JOIN said ON said.answer_id = a.id
LEFT JOIN people reviewer ON reviewer.id = said.reviewer_id
LEFT JOIN flags ON flags.id = a.id
LEFT JOIN corpora_sentence t ON t.id = i.sentence_id
LEFT JOIN corpora_direction d ON d.id = t.direction_id
LEFT JOIN corpora_document o ON o.id = i.document_id
LEFT JOIN corpora_group g ON g.id = i.group_id
LEFT JOIN corpora_question q ON q.id = i.question_id,
LATERAL (SELECT CASE WHEN a.pilot THEN 'pilot' WHEN a.outcome <> 'answered' THEN a.outcome
                     WHEN j.status IS NOT NULL THEN j.status WHEN i.control THEN 'control'
                     WHEN c.purpose <> 'work' THEN c.purpose WHEN a.late THEN 'late' ELSE 'superseded' END AS state) w,
LATERAL (SELECT %(study)s::text AS study, c.slug AS campaign, c.task_type AS task, c.purpose,
                people.name AS annotator, %(machine)s::text AS machine, a.revision, w.state,
                w.state = 'standing' AS counts, a.outcome, a.late,
                a.pilot, a.seconds,
                CASE WHEN a.revision = 1 AND s.annotator_id = a.person_id AND s.leased_at <= a.submitted_at
                     THEN s.leased_at END AS started_at,
                a.submitted_at, a.guideline_version, said.verdict, said.reason, said.comment, said.reply,
                reviewer.name AS reviewer, said.made_at AS reviewed_at, coalesce(flags.names, '[]') AS flags) facts,
LATERAL (SELECT i.number AS item, i.control,
                d.source_style || '-' || d.target_style || '-' || t.number AS source_id, t.split, t.domain,
                o.code AS document, g.number AS "group", q.code AS question, i.topic) about
WHERE a.campaign_id = ANY(%(campaigns)s)
ORDER BY i.number, s.number, a.submitted_at, a.id
"""
ALL = EFFECTIVE_ANNOTATIONS + _ANSWERS.format(way="LEFT JOIN judged")
THOSE_THAT_COUNT = EFFECTIVE_ANNOTATIONS + _ANSWERS.format(way="JOIN effective")
MOST = """
SELECT coalesce(max(cardinality("order")), 0) FROM annotation_answer WHERE campaign_id = ANY(%(campaigns)s)
"""


class AnswerRow(NamedTuple):
    """One revision of one answer; `facts` and `about` are JSON objects of `FACTS` and `ABOUT`, as text.

    `answer` is the version that counts, as text. Where a reviewer fixed it, `before` is the person's own. `order` holds
    the canonical numbers of the item's candidates as they were shown.
    """

    item: int
    sentence: int | None
    outcome: str
    order: list[int]
    facts: str
    about: str
    kept: str  # the content as text
    answer: str
    before: str | None
    content: dict[str, Any]


def answer_rows(
    campaign: Campaign, which: str, names: Mapping[int, str], flags: Mapping[int, list[str]]
) -> Iterator[list[AnswerRow]]:
    """The answers, a batch at a time; flat memory, by a cursor on the server.

    `names` are pseudonyms by person, `flags` the checks by answer.
    """
    machine = getattr(campaign, "machine", None)
    names = {**names, machine.person_id: machine.shown} if machine else names
    asked: dict[str, Any] = {
        "campaigns": [campaign.pk],
        "study": campaign.study.slug,
        "machine": machine.signature if machine else "",
        "people": list(names),
        "names": list(names.values()),
        "flagged": list(flags),
        "flags": [orjson.dumps(flag).decode() for flag in flags.values()],
    }
    last, content = 0, dict[str, Any]()
    with connection.chunked_cursor() as cursor:
        with _planned_for_many():
            cursor.execute(THOSE_THAT_COUNT if which == "standing" else ALL, asked)
            rows = cursor.fetchmany(BATCH)  # the first of them is there once all are sorted
        while rows:
            batch = []
            for row in rows:
                if row[0] != last:  # the answers to one item follow each other
                    last, content = row[0], orjson.loads(row[6])
                batch.append(AnswerRow._make((*row, content)))
            yield batch
            rows = cursor.fetchmany(BATCH)


@contextmanager
def _planned_for_many() -> Iterator[None]:
    """Make plans within this context join by hashing, and give them space to sort in memory.

    The planner knows nothing of answers that came a moment ago, expects a handful and would go through all of them for
    each. The way in which a cursor reads is settled when it is opened; where it sorts, when its first row is asked for.
    """
    with transaction.atomic(), connection.cursor() as cursor:  # behind a pooler the session is somebody else's then
        cursor.execute("SET LOCAL enable_nestloop = off; SET LOCAL work_mem = '32MB'")
        yield
        cursor.execute("RESET enable_nestloop; RESET work_mem")


def most_outputs(campaigns: Sequence[int]) -> int:
    """The most texts that stood beside each other in an item."""
    with connection.cursor() as cursor:
        return int(cursor.execute(MOST, {"campaigns": list(campaigns)}).fetchone()[0])


OUTPUTS = """
SELECT o.sentence_id, s.number, s.name, o.text FROM corpora_output o JOIN corpora_system s ON s.id = o.system_id
WHERE s.study_id = %(study)s AND o.sentence_id = ANY(%(sentences)s::bigint[]) ORDER BY s.number
"""
REFERENCES = """
SELECT r.sentence_id, t.number, t.marks, r.text FROM corpora_reference r JOIN corpora_referenceset t ON t.id = r.set_id
WHERE r.sentence_id = ANY(%(sentences)s::bigint[]) ORDER BY t.number
"""
Texts = dict[tuple[int, str], list[str]]


class TextOrigin(NamedTuple):
    """`role` is output, reference, source, attention_check or other; only outputs have systems."""

    role: str
    systems: list[str]


NO_ORIGIN = TextOrigin("", [])
CHECK = TextOrigin(ATTENTION_CHECK, [])


class TextOrigins:
    """Says whose a text is. Texts are read for some items at a time, so that memory stays flat."""

    def __init__(self, study: Study) -> None:
        self.study = study
        self.outputs: dict[tuple[int, str], TextOrigin] = {}
        self.references: set[tuple[int, str]] = set()
        self._key: Callable[[str], str] = text_key

    def read(self, sentences: Iterable[int]) -> None:
        """Make ready for the items that are about these sentences (of a document, about its first one)."""
        firsts = list(dict.fromkeys(sentences))
        units = {first: self._units.get(first, [first]) for first in firsts} if self._units else {}
        ids = [sentence for of_unit in units.values() for sentence in of_unit] or firsts
        self._key = cache(text_key)  # most candidates are an output letter by letter
        # An array as text: psycopg looks through a list for the type of its numbers, which takes longer than asking.
        asked: dict[str, Any] = {"study": self.study.pk, "sentences": f"{{{','.join(map(str, ids))}}}"}
        with connection.cursor() as cursor:
            outputs = cursor.execute(OUTPUTS, asked).fetchall()
            references = cursor.execute(REFERENCES, asked).fetchall()
        read = [(sentence, number, "", plain(text, marks)) for sentence, number, marks, text in references]
        self.outputs = {key: TextOrigin("output", names) for key, names in _joined(units, outputs, self._key).items()}
        self.references = set(_joined(units, read, self._key, partly=True))

    def origin_of(self, sentence: int | None, text: str, source: str) -> TextOrigin:
        """The origin of a text of the item about `sentence`, whose source is `source`."""
        if sentence is None:
            return NO_ORIGIN
        key = self._key(text)
        if (output := self.outputs.get((sentence, key))) is not None:
            return output
        if (sentence, key) in self.references:
            return TextOrigin("reference", [])
        return TextOrigin("source" if text_key(source) == key else "other", [])

    @cached_property
    def _units(self) -> Mapping[int, list[int]]:
        """The sentences of each document by its first one; {} where each sentence stands for itself."""
        if self.study.unit == Study.Unit.SENTENCE:
            return {}
        return {unit.ids[0]: unit.ids for unit in units_of(self.study)}


def _joined(
    units: Mapping[int, list[int]],
    rows: Iterable[tuple[int, int, str, str]],
    key: Callable[[str], str],
    *,
    partly: bool = False,
) -> Texts:
    names: Texts = defaultdict(list)
    if all(len(ids) == 1 for ids in units.values()):
        for sentence, _number, name, text in rows:
            names[sentence, key(text)].append(name)
        return dict(names)
    written: dict[tuple[int, str], dict[int, str]] = defaultdict(dict)
    for sentence, number, name, text in rows:
        written[number, name][sentence] = text
    for first, ids in units.items():
        for (_number, name), texts in written.items():
            if text := text_of(ids, texts, partly=partly):
                names[first, key(text)].append(name)
    return dict(names)


class AnswerPart(NamedTuple):
    """A part of an answer. `place` is the text's place on the person's page from 1, None where it had none."""

    said: Said
    place: int | None
    origin: TextOrigin


class ShownText(NamedTuple):
    """A text as it stood on the page, at a place from 1, and its values by criterion."""

    place: int
    text: str
    origin: TextOrigin
    values: dict[str, Any]


class AnswerReader:
    """Reads the answers of one campaign; of those that count, `counting`, only what is said of ordinary texts."""

    def __init__(self, campaign: Campaign, origins: TextOrigins, *, counting: bool = False) -> None:
        self.campaign, self.origins, self.counting = campaign, origins, counting
        self.checks = AttentionChecks([campaign.pk])
        self.kind, self.settings = TASK_TYPES[campaign.task_type], campaign.settings
        self.criteria = self.kind.asked(campaign.settings)
        self.marks = MARK in self.criteria

    def read(self, batch: Sequence[AnswerRow]) -> Sequence[AnswerRow]:
        """Load the texts that these answers are about; the answers as they are exported."""
        if self.kind.of_outputs:
            self.origins.read(revision.sentence for revision in batch if revision.sentence is not None)
        if not self.checks:
            return batch
        marked = [(revision, self._is_of_checks(revision)) for revision in batch]
        return [
            revision._replace(facts=not_counted(revision.facts)) if of_checks else revision
            for revision, of_checks in marked
            if not (of_checks and self.counting)
        ]

    def _is_of_checks(self, revision: AnswerRow) -> bool:
        """Whether the page showed attention checks alone."""
        texts = revision.content["candidates"] if revision.order else []
        return bool(texts) and all(self._is_check(revision, text) for text in texts)

    def _is_check(self, revision: AnswerRow, text: str) -> bool:
        return self.checks.has(self.campaign.pk, revision.sentence, text)

    def known(self, revision: AnswerRow, role: str = "") -> list[Any]:
        """The values of `FACTS` and `ABOUT`, beside what is said of a text of this role."""
        told = not_counted(revision.facts) if role == ATTENTION_CHECK else revision.facts
        facts, about = orjson.loads(told), orjson.loads(revision.about)
        about["source"] = source_of(revision.content)
        return [*(facts[name] for name in FACTS), *(about[name] for name in ABOUT)]

    def shown(self, revision: AnswerRow) -> list[ShownText]:
        """The candidates in the order shown; without values where the item was left."""
        if not revision.order:
            return []
        texts, sentence, source = revision.content["candidates"], revision.sentence, revision.content["source"]
        values: list[dict[str, Any]] = [{} for _ in texts]
        if revision.outcome == "answered":
            values = self.kind.values(orjson.loads(revision.answer), revision.content, self.settings)
        origin_of = self.origins.origin_of
        shown = [
            ShownText(
                place, text := texts[n],
                CHECK if self._is_check(revision, text) else origin_of(sentence, text, source), values[n],
            )
            for place, n in enumerate(revision.order, 1)
        ]  # fmt: skip
        return [one for one in shown if one.origin is not CHECK] if self.counting else shown

    def parts(self, revision: AnswerRow) -> Iterator[AnswerPart]:
        """The statements of the answer, text by text in the order shown; or the report of an item that was left."""
        if revision.outcome != "answered":
            left = orjson.loads(revision.answer)
            if left:
                yield AnswerPart(Said("problem", left.get("kind", ""), left.get("comment", "")), None, NO_ORIGIN)
        elif revision.order:
            for place, text, origin, values in self.shown(revision):
                for name in self.criteria:
                    if name in values:
                        yield AnswerPart(Said(name, values[name], text), place, origin)
                if self.marks:
                    all_said = self.kind.said(orjson.loads(revision.answer), revision.content, self.settings)
                    yield from (AnswerPart(mark, place, origin) for mark in all_said if mark.criterion == MARK)
        else:
            for said in self.kind.said(orjson.loads(revision.answer), revision.content, self.settings):
                judged = self.kind.of_outputs and said.value != ""
                source = revision.content.get("source", "")
                yield AnswerPart(
                    said, None, self.origins.origin_of(revision.sentence, said.text, source) if judged else NO_ORIGIN
                )

    def by_place(self, answer: str, order: list[int]) -> Answer:
        """The answer as the person's page held it."""
        return self.kind.arranged(orjson.loads(answer), order)


def not_counted(facts: str) -> str:
    """The facts of an answer, said of an attention check: it does not count, though the answer stands."""
    known = orjson.loads(facts)
    if known["counts"]:
        known |= {"state": ATTENTION_CHECK, "counts": False}
    return orjson.dumps(known).decode()


def source_of(content: Mapping[str, Any]) -> str:
    """The text that an item is about; for work on a whole document or group its title."""
    source = content.get("source")
    return source if isinstance(source, str) else opening_words(dict(content))
