"""Independent judgements: nobody judges their own text, nor an item that somebody of the same browser had."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

import orjson
from django.db import connection

from accounts.database.prepared_statements import fetch_one
from annotation.models import Campaign, ImportedGold
from annotation.pseudonyms import people_by_released_name
from annotation.task_types import TASK_TYPES, TaskType, written_of
from corpora.database import stream_rows
from corpora.gold_records import row_from
from corpora.models import Study
from foundation.word_diff import runs

# The writers of the texts that an item gives to be judged: nobody judges a text of their own.
#
# A text is theirs by whatever way it came among the others: as a reference that was adopted, as an output, as gold that
# was released here and read in again, or because somebody else wrote the same. So texts are compared, and all texts
# ever written count: earlier revisions, rejected answers, and the versions of reviewers.

Writers = Mapping[str, Collection[int]]
Find = Callable[[str], Collection[int]]
Authors = Callable[[Any], list[int]]
SHORTEST = 3  # words of a text that is looked for within a document; characters in a script without spaces
WROTE = """
WITH given AS (
    SELECT a.id, a.person_id, a.content, i.content AS item, c.task_type, c.settings
    FROM annotation_answer a JOIN annotation_item i ON i.id = a.item_id
    JOIN annotation_campaign c ON c.id = a.campaign_id
    WHERE c.study_id = %(study)s AND c.task_type = ANY(%(kinds)s) AND a.outcome = 'answered' {about}
)
SELECT person_id, content, item, task_type, settings FROM given
UNION ALL
SELECT r.reviewer_id, r.content, given.item, given.task_type, given.settings
FROM annotation_review r JOIN given ON given.id = r.answer_id WHERE r.verdict = 'fixed' AND r.content IS NOT NULL
"""
SAME = """
AND (i.sentence_id = ANY(%(sentence)s) OR i.group_id = ANY(%(group)s) OR i.document_id = ANY(%(document)s)
     OR i.question_id = ANY(%(question)s))
"""
# The items of the same source that give texts to be judged, without the person among their authors so far.
JUDGING = """
SELECT i.id, i.content, c.task_type
FROM annotation_item o JOIN annotation_item i ON i.sentence_id = o.sentence_id OR i.group_id = o.group_id
     OR i.document_id = o.document_id OR i.question_id = o.question_id
JOIN annotation_campaign c ON c.id = i.campaign_id
WHERE o.id = %(item)s AND i.id <> o.id AND c.task_type = ANY(%(kinds)s) AND NOT %(person)s = ANY(i.authors)
"""
# A free assignment forgets its last lease, which may be theirs.
BAR = """
WITH told AS (UPDATE annotation_item SET authors = authors || %(person)s::integer WHERE id = ANY(%(items)s))
UPDATE annotation_assignment SET barred = barred || %(person)s::integer, lease = CASE WHEN state <> 0 THEN lease END
WHERE item_id = ANY(%(items)s)
"""


@cache
def judging_kinds() -> list[str]:
    """The kinds of work whose items give texts to be judged."""
    return [name for name in TASK_TYPES if type(TASK_TYPES[name]).judged is not TaskType.judged]


@cache
def writing_kinds() -> list[str]:
    return [name for name in TASK_TYPES if TASK_TYPES[name].writes()]


def authors_in(campaign: Campaign, about: Mapping[str, Sequence[int]] | None) -> Authors:
    """Says who wrote a text of an item's content; only texts written `about` these, where they are named.

    The database is asked once, at the first text that is judged; not at all where the kind of work judges nothing.
    """
    kind = TASK_TYPES[campaign.task_type]

    @cache
    def found() -> Find | None:
        known = _writers(campaign.study, about)
        if not known:
            return None
        whole = campaign.study.unit == Study.Unit.DOCUMENT
        return _within(known) if whole else lambda text: known.get(text, ())

    def authors(content: Any) -> list[int]:
        texts = list(kind.judged(content))
        find = found() if texts else None
        return sorted({person for text in texts for person in find(_key(text))}) if find else []

    return authors


def bar_writer(item: int, person: int, texts: Iterable[str]) -> None:
    """Keep somebody who just wrote `texts` for the item from the items of its source that give one of them to judge."""
    keys = {_key(text) for text in texts} - {""}
    if not keys:
        return
    with connection.cursor() as cursor:
        rows = cursor.execute(JUDGING, {"item": item, "kinds": judging_kinds(), "person": person}).fetchall()
        theirs = [
            pk
            for pk, content, kind in rows
            if keys & {_key(text) for text in TASK_TYPES[kind].judged(orjson.loads(content))}
        ]
        if theirs:
            cursor.execute(BAR, {"items": sorted(theirs), "person": person})


def _writers(study: Study, about: Mapping[str, Sequence[int]] | None) -> Writers:
    known: dict[str, set[int]] = defaultdict(set)
    for person, text in _written(study, about):
        known[_key(text)].add(person)
    if about is None:
        for person, text in _imported(study):
            known[_key(text)].add(person)
    known.pop("", None)
    return known


def _written(study: Study, about: Mapping[str, Sequence[int]] | None) -> Iterator[tuple[int, str]]:
    asked: dict[str, Any] = {"study": study.pk, "kinds": writing_kinds(), **(about or {})}
    for person, answer, content, kind, settings in stream_rows(WROTE.format(about=SAME if about else ""), asked):
        parsed = (orjson.loads(stored) for stored in (answer, content, settings))
        yield from ((person, text) for text in TASK_TYPES[kind].wrote(*parsed))


def _imported(study: Study) -> Iterator[tuple[int, str]]:
    """The people of this site who wrote gold that was released here and read into the study."""
    entries = ImportedGold.objects.filter(study=study).values_list("entry", flat=True)
    names = people_by_released_name() if entries.exists() else {}
    for entry in entries.iterator(2000) if names else ():
        row = row_from(orjson.loads(entry))
        people = [names[annotator] for annotator in row.annotators if annotator in names]
        yield from ((person, text) for text in written_of(dict(row.product)) for person in people)


def _within(known: Writers) -> Find:
    """Finds who wrote a text, or a sentence that stands in it."""
    begins: dict[tuple[str, ...], list[tuple[str, str]]] = defaultdict(list)
    for text in known:
        words = runs(text)
        if len(words) >= SHORTEST:
            begins[tuple(words[:SHORTEST])].append((text, f" {' '.join(words)} "))

    def find(text: str) -> set[int]:
        words = runs(text)
        whole, starts = f" {' '.join(words)} ", {tuple(words[at : at + SHORTEST]) for at in range(len(words))}
        inside = (phrase for start in starts for phrase, spaced in begins.get(start, ()) if spaced in whole)
        return {person for phrase in (*inside, *((text,) if text in known else ())) for person in known[phrase]}

    return find


def _key(text: str) -> str:
    """A text as it is compared here: case and white space put aside."""
    return " ".join(text.split()).casefold()


# People of one device are kept off each other's items: one browser with eight ids would fill all assignments of an
# item.
#
# The groups are worked out when somebody comes from a crowd site, and when one of them sits down in a campaign. They
# stand in the memberships, which every act reads anyway. A claim of anybody else costs nothing more.

LOCK = "SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))"
# Also people who are only linked by a third one, who came in two browsers.
TOGETHER = """
WITH RECURSIVE together(person_id) AS (
    SELECT %(person)s::bigint
    UNION
    SELECT theirs.person_id FROM together t
    JOIN annotation_deviceuse own ON own.person_id = t.person_id AND own.study_id = %(study)s
    JOIN annotation_deviceuse theirs ON theirs.study_id = own.study_id AND theirs.device = own.device
)
SELECT array_agg(person_id ORDER BY person_id) FROM together
"""
KEEP = """
WITH memberships AS (
    SELECT s.id FROM annotation_campaignmembership s JOIN annotation_campaign c ON c.id = s.campaign_id
    WHERE c.study_id = %(study)s AND s.person_id = ANY(%(people)s)
      AND s.apart <> array_remove(%(people)s::int[], s.person_id::int)
    ORDER BY s.id FOR UPDATE OF s
)
UPDATE annotation_campaignmembership s SET apart = array_remove(%(people)s::int[], s.person_id::int)
FROM memberships m WHERE s.id = m.id
"""
CAME = "SELECT 1 FROM annotation_deviceuse WHERE study_id = %(study)s AND person_id = %(person)s LIMIT 1"


def lock_devices(study: int) -> None:
    """Let nobody else come by a device of the study, or sit down as one who did, until the transaction ends."""
    with connection.cursor() as cursor:
        cursor.execute(LOCK, [f"devices {study}"])


def people_of_same_device(study: int, person: int) -> list[int]:
    """The keys of all who are taken for this person, themselves among them."""
    row = fetch_one(TOGETHER, {"study": study, "person": person})
    return row[0] if row else [person]


def keep_apart(study: int, person: int) -> None:
    """Write the others into the memberships of all who are taken for `person`. Under `lock_devices`."""
    people = people_of_same_device(study, person)
    if len(people) > 1:
        with connection.cursor() as cursor:
            cursor.execute(KEEP, {"study": study, "people": people})


def join_apart(study: int, person: int) -> None:
    """The same for a membership that was just made; nothing for people who came from no crowd site."""
    if fetch_one(CAME, {"study": study, "person": person}):
        lock_devices(study)
        keep_apart(study, person)


def serialize_shared_device(context: Any) -> None:
    """Have the people of one device act one after the other, or two claims at once would not see each other."""
    if context.apart:
        with connection.cursor() as cursor:
            cursor.execute(LOCK, [f"apart {context.campaign} {min(context.person.pk, *context.apart)}"])


# People who get nothing of some campaigns, whatever they are: those of a study that is repeated with others.

BAR_ALL = "UPDATE annotation_assignment SET barred = barred || %(people)s::integer[] WHERE campaign_id = ANY(%(of)s)"


def bar_people(campaigns: Collection[Campaign], people: Collection[int]) -> None:
    """Nobody of `people` gets an assignment of these campaigns."""
    with connection.cursor() as cursor:
        cursor.execute(BAR_ALL, {"people": list(people), "of": [campaign.pk for campaign in campaigns]})
