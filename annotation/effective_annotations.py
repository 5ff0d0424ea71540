"""The answers that count after revisions and reviews, and their products, rewrites and judgements."""

from collections.abc import Collection, Iterable, Iterator
from datetime import date, datetime
from typing import Any, NamedTuple

import orjson

from annotation.attention_checks import AttentionChecks
from annotation.models import Campaign
from annotation.task_types import TASK_TYPES, Judgement, Product, TaskType
from corpora.database import stream_rows
from corpora.models import Study
from foundation.text_keys import text_key

# The answers that count: the highest revision of each person and item, pilot apart, as the reviewers left it.
#
# Late work counts once a reviewer accepted it. An answer whose newest verdict is rejected, returned or dropped does not
# count. One that its author changed after a rejection counts when it is accepted. In a campaign that needs review,
# answers count when somebody accepted them. Answers of dropped items, control items, trainings
# and qualifications never count.
#
# Each answer has two readings. `content` is gold: the reviewer's version where a reviewer fixed the answer. `said`
# holds the person's own answer, whatever a reviewer made of it: judgements and agreement use it, since a correction
# that counts as the rater's own makes raters agree who did not.

OF_CAMPAIGNS = "a.campaign_id = ANY(%(campaigns)s)"
OF_ITEM = "a.item_id = %(item)s"

_EFFECTIVE_ANNOTATIONS = """
WITH verdicts AS (
    SELECT DISTINCT ON (r.answer_id) r.answer_id, r.verdict, r.content AS fixed,
           CASE WHEN r.verdict = 'fixed' THEN r.reviewer_id END AS fixer_id
    FROM annotation_review r JOIN annotation_answer a ON a.id = r.answer_id
    WHERE {of} ORDER BY r.answer_id, r.made_at DESC, r.id DESC
), newest AS (
    SELECT DISTINCT ON (a.item_id, a.person_id) a.id, a.campaign_id, a.item_id, a.slot_id, a.person_id, a.revision,
           a.outcome, coalesce(v.fixed, a.content) AS content, a.content AS said, a.guideline_version, a.seconds,
           a.submitted_at, v.verdict, v.fixer_id
    FROM annotation_answer a LEFT JOIN verdicts v ON v.answer_id = a.id
    WHERE {of} AND NOT a.pilot AND (NOT a.late OR v.verdict IN ('accepted', 'fixed'))
    ORDER BY a.item_id, a.person_id, a.revision DESC
), judged AS NOT MATERIALIZED (
    SELECT newest.*, s.number AS place, i.number AS item_number,
           CASE WHEN newest.outcome <> 'answered' THEN 'none'
                WHEN s.state = 4 THEN 'dropped'
                WHEN newest.verdict IN ('accepted', 'fixed') THEN 'standing'
                WHEN newest.verdict IS NOT NULL THEN newest.verdict
                WHEN c.needs_review THEN 'waiting'
                WHEN newest.revision > 1 AND 'rejected' = (
                    SELECT v.verdict FROM annotation_answer e JOIN verdicts v ON v.answer_id = e.id
                    WHERE e.item_id = newest.item_id AND e.person_id = newest.person_id AND NOT e.pilot AND NOT e.late
                    ORDER BY e.revision DESC LIMIT 1) THEN 'waiting'
                ELSE 'standing' END AS status
    FROM newest
    JOIN annotation_assignment s ON s.id = newest.slot_id
    JOIN annotation_item i ON i.id = newest.item_id AND NOT i.control
    JOIN annotation_campaign c ON c.id = newest.campaign_id AND c.purpose = 'work'
), effective AS (
    -- Said by what it is not: of an equality the planner expects one row in two hundred, and then joins row by row.
    SELECT * FROM judged WHERE status NOT IN ('waiting', 'rejected', 'returned', 'dropped', 'none')
)
"""


def effective_annotations(of: str = OF_CAMPAIGNS) -> str:
    """The start of a query: the table `effective`, and `judged`, which has those that do not count too, by `status`."""
    return _EFFECTIVE_ANNOTATIONS.format(of=of)


# Wants %(campaigns)s, a list of keys. Gives the answers of every person to every item, as the table `effective`.
EFFECTIVE_ANNOTATIONS = effective_annotations()

# After EFFECTIVE_ANNOTATIONS: the active seconds of an answer, those of all its revisions together.
SECONDS = """
CASE WHEN effective.revision = 1 THEN effective.seconds ELSE (
    SELECT sum(e.seconds) FROM annotation_answer e
    WHERE e.item_id = effective.item_id AND e.person_id = effective.person_id AND NOT e.pilot) END
"""

# After EFFECTIVE_ANNOTATIONS: the same, and where the page counted none the seconds since the person's answer before,
# which are the most that it can have taken.
PACE = f"""
coalesce({SECONDS}, (
    SELECT extract(epoch FROM effective.submitted_at - max(e.submitted_at))::float8 FROM annotation_answer e
    WHERE e.campaign_id = effective.campaign_id AND e.person_id = effective.person_id
      AND e.submitted_at < effective.submitted_at))
"""  # noqa: S608 (all parts stand in this program)

# After EFFECTIVE_ANNOTATIONS: the rewrites that count, with their text. One that was handed on counts as the last word
# of those who verified it, and not before they have said it; what became of it in a further stage counts there.
COUNTED = """, handed_on AS MATERIALIZED (
    SELECT DISTINCT ON (i.parent_id) i.parent_id,
           CASE WHEN i.settled ->> 'verdict' = 'accepted'
                 AND i.settled -> 'products' -> 0 ->> 'kind' = 'rewrite'
                 AND NOT EXISTS (SELECT 1 FROM annotation_item n JOIN annotation_answer p ON p.id = n.parent_id
                                 JOIN annotation_campaign k ON k.id = n.campaign_id AND k.takes <> 'farthest'
                                 WHERE p.item_id = i.id AND NOT n.withdrawn)
                THEN i.settled -> 'products' -> 0 ->> 'text' END AS text
    FROM annotation_campaign c JOIN annotation_item i ON i.campaign_id = c.id AND NOT i.withdrawn
    WHERE c.after_id = ANY(%(campaigns)s) AND c.takes <> 'farthest'
    ORDER BY i.parent_id, text NULLS LAST
), counted AS (
    SELECT effective.*, coalesce(handed_on.text, effective.content ->> 'text') AS text
    FROM effective LEFT JOIN handed_on ON handed_on.parent_id = effective.id
    WHERE handed_on.parent_id IS NULL OR handed_on.text IS NOT NULL
)
"""

# People's judgements of texts in this study's own campaigns.


class JudgedAnswer(NamedTuple):
    """The judgements of one person in one answer to an item of a sentence.

    `seconds` are those of all its revisions. Where the page counted none they are those since the person's answer
    before; None of the first answer.
    """

    campaign: int
    sentence: int
    pseudonym: str
    seconds: float | None
    said: Iterable[Judgement]


class CampaignJudgement(NamedTuple):
    """One person's value for one text of a sentence; `text_key` is compared with an output's."""

    sentence_id: int
    text_key: str
    criterion: str
    pseudonym: str
    value: float


def judged_answers(
    campaigns: Iterable[Campaign], *, paced: bool = False, by_time: bool = False, with_checks: bool = False
) -> Iterator[JudgedAnswer]:
    """The answers that count in these campaigns, in the order of the items, or in that in which they were given.

    `paced` gives them their seconds. Judgements of attention checks are left out, unless `with_checks`.
    """
    given = _judged_answers(campaigns, paced=paced, by_time=by_time, with_checks=with_checks)
    yield from map(JudgedAnswer._make, given)


def _judged_answers(
    campaigns: Iterable[Campaign], *, paced: bool = False, by_time: bool = False, with_checks: bool = False
) -> Iterator[tuple[int, int, str, float | None, Iterable[Judgement]]]:
    kinds = {campaign.pk: (TASK_TYPES[campaign.task_type].judgements, campaign.settings) for campaign in campaigns}
    if not kinds:
        return
    checks = AttentionChecks([] if with_checks else kinds)
    statement = (
        EFFECTIVE_ANNOTATIONS
        + f"""
SELECT effective.campaign_id, i.sentence_id, p.pseudonym::text, {PACE if paced else "NULL"}, effective.said, i.content
FROM effective JOIN annotation_item i ON i.id = effective.item_id JOIN accounts_person p ON p.id = effective.person_id
ORDER BY {"" if by_time else "effective.campaign_id, i.number, "}effective.submitted_at, effective.id
"""  # noqa: S608 (all parts stand in this file)
    )
    for campaign, sentence, pseudonym, seconds, answer, content in stream_rows(statement, {"campaigns": list(kinds)}):
        said, settings = kinds[campaign]
        judgements = said(orjson.loads(answer), orjson.loads(content), settings)
        yield campaign, sentence, pseudonym, seconds, checks.without(campaign, sentence, judgements)


def judgements(study: Study, without: Collection[int] = ()) -> Iterator[CampaignJudgement]:
    """The judgements that count, from all campaigns that rate or rank. A rank's criterion is called `rank`.

    `without` are the keys of campaigns that are left out. Attention checks are.
    """
    chosen = (
        campaign
        for campaign in study.campaigns.all()
        if campaign.pk not in without and TASK_TYPES[campaign.task_type].judges()
    )
    for _, sentence, pseudonym, _, said in _judged_answers(chosen):
        judged, key = None, ""
        for text, criterion, value in said:
            if text != judged:  # the criteria of a text come one after the other
                judged, key = text, text_key(text)
            yield CampaignJudgement(sentence, key, criterion, pseudonym, float(value))


# The gold that stands: the products of the last stage of each chain, streamed in the order of the items.

# A product that was passed on counts at the stage that it came to. A rewrite that was chosen as the farthest from its
# source still counts: it begins another direction. Work that is done again after a rejection counts there, too.
PASSED_ON = """
SELECT 1 FROM annotation_item n JOIN annotation_campaign k ON k.id = n.campaign_id AND k.takes <> 'farthest'
WHERE NOT n.withdrawn AND n.parent_id = {answer}
"""
COLUMNS = """
a.id, a.person_id, (a.submitted_at AT TIME ZONE 'UTC')::date, a.guideline_version, a.revision, i.id, i.number, i.people,
i.sentence_id, i.group_id, i.document_id, i.question_id
"""
BY_ANSWER = (
    EFFECTIVE_ANNOTATIONS
    + f"""
SELECT {COLUMNS}, a.fixer_id, a.content, i.content
FROM effective a JOIN annotation_item i ON i.id = a.item_id
WHERE NOT EXISTS ({PASSED_ON.format(answer="a.id")})
ORDER BY i.number, a.place, a.id
"""  # noqa: S608 (all parts stand in this file)
)
BY_ITEM = f"""
SELECT {COLUMNS}, i.settled
FROM annotation_item i JOIN annotation_answer a ON a.id = (i.settled ->> 'answer')::bigint
WHERE i.campaign_id = ANY(%(campaigns)s) AND i.settled ->> 'verdict' = 'accepted' AND NOT i.control AND NOT i.withdrawn
  AND EXISTS (SELECT 1 FROM annotation_assignment s WHERE s.item_id = i.id AND NOT s.pilot AND s.state <> 4)
  AND NOT EXISTS (SELECT 1 FROM annotation_answer p
                  WHERE p.item_id = i.id AND EXISTS ({PASSED_ON.format(answer="p.id")}))
ORDER BY i.number
"""  # noqa: S608 (all parts stand in this file)


class ProductRow(NamedTuple):
    """A product that counts. `answer_id` is the answer that made it, or that decided, and `author` the key of who gave
    it, the same in every revision, whoever fixed it; `people` are the keys of all who had a hand in it, in the order of
    the stages. `submitted_on` is the day of the answer in UTC. One of the four keys at the end names its subject."""

    campaign_id: int
    item_id: int
    number: int
    answer_id: int
    author: int
    people: list[int]
    submitted_on: date
    guideline_version: int
    revision: int
    product: Product
    sentence_id: int | None
    group_id: int | None
    document_id: int | None
    question_id: int | None


def products(study: Study, *, campaigns: Iterable[Campaign | int] | None = None) -> Iterator[ProductRow]:
    """The products that stand of a study, or of some of its campaigns (they or their keys), in order, item by item.

    Memory stays flat. Pilots, control items, trainings and qualifications are left out, and so are products that were
    passed on to a further stage, wait for their review there, or were rejected.
    """
    chosen = study.campaigns.filter(purpose=Campaign.Purpose.WORK).order_by("made_at", "pk")
    if campaigns is not None:
        chosen = chosen.filter(pk__in=[getattr(campaign, "pk", campaign) for campaign in campaigns])
    for campaign in chosen:
        kind = TASK_TYPES[campaign.task_type]
        yield from _settled(campaign) if kind.settles == "item" else _answered(campaign, kind)


def _answered(campaign: Campaign, kind: TaskType) -> Iterator[ProductRow]:
    settings, settle = campaign.settings, kind.settle
    for *columns, fixer, answer, content in stream_rows(BY_ANSWER, {"campaigns": [campaign.pk]}):
        verdict, made_products = settle([orjson.loads(answer)], orjson.loads(content), settings)
        if verdict == "accepted":
            author = columns[1]
            yield from _of_columns(campaign, columns, [author, fixer] if fixer else [author], made_products)


def _settled(campaign: Campaign) -> Iterator[ProductRow]:
    for *columns, settled in stream_rows(BY_ITEM, {"campaigns": [campaign.pk]}):
        outcome = orjson.loads(settled)
        yield from _of_columns(campaign, columns, outcome["people"], outcome["products"])


def _of_columns(
    campaign: Campaign, columns: list[Any], hands: list[int], made_products: list[Product]
) -> Iterator[ProductRow]:
    answer, author, submitted_on, version, revision, item, number, people, *about = columns
    everybody = list(dict.fromkeys([*people, *hands]))
    for product in made_products:
        yield ProductRow(
            campaign.pk, item, number, answer, author, everybody, submitted_on, version, revision, product, *about
        )


# The rewrites of a study's campaigns, with where they come from.

REWRITES = (
    EFFECTIVE_ANNOTATIONS
    + COUNTED
    + """
SELECT counted.campaign_id, i.sentence_id, counted.text, p.pseudonym::text, counted.submitted_at,
       counted.guideline_version, counted.revision, counted.id, counted.verdict IS NOT NULL,
       row_number() OVER (PARTITION BY i.sentence_id ORDER BY c.made_at, c.id, s.number, counted.submitted_at,
                          counted.id)
FROM counted
JOIN annotation_campaign c ON c.id = counted.campaign_id
JOIN annotation_item i ON i.id = counted.item_id
JOIN annotation_assignment s ON s.id = counted.slot_id
JOIN accounts_person p ON p.id = counted.person_id
JOIN corpora_sentence t ON t.id = i.sentence_id
ORDER BY t.direction_id, t.number, 10
"""
)


class RewriteRow(NamedTuple):
    """A rewrite that counts; `place` counts the rewrites of one sentence from 1, by assignment."""

    campaign_id: int
    sentence_id: int
    text: str
    pseudonym: str
    submitted_at: datetime
    guideline_version: int
    revision: int
    answer_id: int
    accepted: bool
    place: int


def rewrites(study: Study, campaign: Campaign | None = None) -> Iterator[RewriteRow]:
    """The rewrites of a study (or of one campaign) that were accepted or not reviewed yet, streamed by sentence."""
    keys = [campaign.pk] if campaign else rewrite_campaigns(study)
    if keys:
        yield from map(RewriteRow._make, stream_rows(REWRITES, {"campaigns": keys}))


def rewrite_campaigns(study: Study) -> list[int]:
    return list(study.campaigns.filter(task_type="rewrite").values_list("pk", flat=True))
