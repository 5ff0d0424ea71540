"""The figures of taking data out over HTTP: raw ratings and rewrites; and ratings, as a report reads them."""

import time
import urllib.request
from typing import NamedTuple
from uuid import UUID

import orjson
from django.db import connection
from django.urls import reverse
from django.utils import timezone

from accounts.models import Person
from annotation.answer_export import EXPORT_FORMATS
from annotation.effective_annotations.judgements import judgements
from annotation.models import Answer, Assignment, Campaign
from bench.bench_study import add_outputs, make_campaign, make_study, sentences, session_of
from bench.measurement_sizes import Sizes
from bench.release_figures import Released, releasing
from bench.web_server import HOST
from corpora.database.bulk_copy import copy_rows
from corpora.models import Study
from foundation.errors import UserError

TRIES = 3
CRITERIA = 3
RATINGS: dict[str, object] = {"ratings": [{"formality": 1, "fluency": 4, "meaning": 5}]}


class Exported(NamedTuple):
    """The best of a few, in seconds; `raw` and `raw_many` are by form. Releases of as many answers, and of many."""

    gold: float
    bytes: int
    ratings: float
    raw: dict[str, float]
    raw_many: dict[str, float]
    released: list[Released]


def exporting(sizes: Sizes, by: Person, port: int, large: Campaign) -> Exported:
    """Answer all items of two campaigns, and of one in the study of the `large` one, and take the answers out."""
    study = make_study("export", sizes.items, by)
    add_outputs(study, by)
    rewriting, rating = (make_campaign(study, kind, by, overlap=1) for kind in ("rewrite", "rate"))
    _answer(rewriting, by, [{"text": text} for text in sentences(sizes.items, 3)])
    _answer(rating, by, [RATINGS] * sizes.items)
    session = session_of(by)
    gold = [_gold(study, session, port, sizes.items) for _ in range(TRIES)]
    raw = _raw(rating, session, port, sizes.items)
    ratings = min(_ratings(study, 3 * sizes.items) for _ in range(TRIES))
    many_rated = make_campaign(large.study, "rate", by, overlap=1)
    _answer(many_rated, by, [RATINGS] * sizes.large)
    raw_many = _raw(many_rated, session, port, sizes.large)
    many = make_campaign(large.study, "rewrite", by, overlap=1)
    _answer(many, by, [{"text": text} for text in sentences(sizes.large, 3)])
    released = [_release(rewriting, sizes.items), _release(many, sizes.large)]
    return Exported(min(gold)[0], gold[0][1], ratings, raw, raw_many, released)


def _answer(campaign: Campaign, by: Person, contents: list[dict[str, object]]) -> None:
    """An answer to every item, written at once: how they came is not what is measured here."""
    assignments = list(
        Assignment.objects.filter(campaign=campaign).order_by("position").values_list("item", "pk", "order")
    )
    same = {"campaign": campaign.pk, "person": by.pk, "submitted_at": timezone.now(), "seconds": 1.0}
    same |= {"revision": 1, "guideline_version": 1, "outcome": "answered", "late": False, "pilot": False}
    rows = (
        (*same.values(), item, assignment, order, UUID(int=assignment), orjson.dumps(content).decode())
        for (item, assignment, order), content in zip(assignments, contents, strict=True)
    )
    copy_rows(Answer, [*same, "item", "assignment", "order", "key", "content"], rows)
    Assignment.objects.filter(campaign=campaign).update(state=Assignment.State.DONE, annotator=by)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")  # as autovacuum does while answers come one by one; here they came at once


def _gold(study: Study, session: str, port: int, lines: int) -> tuple[float, int]:
    took, body = _fetched(reverse("gold_file", args=[study.slug, "jsonl"]), session, port)
    _expect(body.count(b"\n"), lines)
    return took, len(body)


def _raw(campaign: Campaign, session: str, port: int, answers: int) -> dict[str, float]:
    """The answers of a campaign in each form; an answer is a rating of one output on three criteria."""
    address = reverse("campaign_answers_file", args=[campaign.study.slug, campaign.slug])
    lines = {"jsonl": answers, "long": CRITERIA * answers + 1, "wide": answers + 1}
    found = {}
    for form in EXPORT_FORMATS:
        tries = [_fetched(f"{address}?format={form}", session, port) for _ in range(TRIES)]
        if form in lines:
            _expect(tries[0][1].count(b"\n"), lines[form])
        found[form] = min(took for took, _body in tries)
    return found


def _fetched(address: str, session: str, port: int) -> tuple[float, bytes]:
    """The seconds from asking to the last byte, and the bytes."""
    request = urllib.request.Request(f"http://{HOST}:{port}{address}", headers={"Cookie": f"sessionid={session}"})
    began = time.perf_counter()
    with urllib.request.urlopen(request) as response:  # noqa: S310 (our own address)
        body = response.read()
    return time.perf_counter() - began, body


def _expect(found: int, lines: int) -> None:
    if found != lines:
        raise UserError("The export has {found} lines, and {lines} were expected.", found=found, lines=lines)


def _ratings(study: Study, count: int) -> float:
    began = time.perf_counter()
    found = sum(1 for _ in judgements(study))
    if found != count:
        raise UserError("There are {found} judgements, and {count} were expected.", found=found, count=count)
    return time.perf_counter() - began


def _release(campaign: Campaign, rows: int) -> Released:
    """The quickest of a few releases of the rewrites."""
    made = min((releasing(campaign.pk) for _ in range(TRIES)), key=lambda one: one.took)
    if made.rows != rows:
        raise UserError("The release has {rows} rows, and {expected} were expected.", rows=made.rows, expected=rows)
    return made
