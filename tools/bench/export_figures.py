"""The figures of taking data out over HTTP: raw ratings and rewrites; and ratings, as a report reads them."""

import time
import urllib.request
from collections.abc import Sequence
from uuid import UUID

import orjson
from django.db import connection
from django.urls import reverse
from django.utils import timezone

from accounts.models import Person
from annotation.effective_annotations import judgements
from annotation.models import Answer, Assignment, Campaign
from corpora.database import copy_rows
from corpora.models import Study
from foundation.errors import UserError
from tools.bench.bench_study import add_outputs, make_campaign, make_study, sentences, session_of
from tools.bench.clock import Took, timed
from tools.bench.figures import Figure, Figures
from tools.bench.measurement_sizes import Sizes
from tools.bench.release_figures import releasing
from tools.bench.web_server import HOST, server_processes

TRIES = 3
CRITERIA = 3
RATINGS: dict[str, object] = {"ratings": [{"formality": 1, "fluency": 4, "meaning": 5}]}


def exporting(sizes: Sizes, by: Person, port: int, web: int, figures: Figures) -> dict[str, Took | None]:
    """Answer all items of campaigns of two sizes, and take the answers out: each figure by its words."""
    found: dict[str, Took | None] = {}
    site = _Site(port, session_of(by), list(server_processes(web).values()), figures)
    for slug, count in (("export", sizes.items), ("exports", sizes.large)):
        study = make_study(slug, count, by)
        add_outputs(study, by)
        rewriting, rating = (make_campaign(study, kind, by, overlap=1) for kind in ("rewrite", "rate"))
        _answer(rewriting, by, [{"text": text} for text in sentences(count, 3)])
        _answer(rating, by, [RATINGS] * count)
        with figures.perhaps(f"export of {count:,} ratings", "the older commit has no export of raw answers"):
            found |= _raw(site, rating, count)
        with figures.perhaps(f"export of {count:,} rewrites"):
            name = f"export of {count:,} rewrites, JSON lines over HTTP"
            found[name] = site.fetched(name, reverse("gold_file", args=[study.slug, "jsonl"]), count)
        with figures.perhaps(f"{count:,} answers read for a report"):
            read = [timed(lambda study=study, count=count: _read(study, CRITERIA * count)) for _ in range(TRIES)]
            found[f"{count:,} answers read for a report"] = min(read)
        with figures.perhaps(f"release of {count:,} answers"):
            found[f"release of {count:,} answers, JSON lines and datasheet"] = _release(rewriting, count)
    return found


def _answer(campaign: Campaign, by: Person, contents: Sequence[dict[str, object]]) -> None:
    """An answer to every item, written at once: the way in which they come is not measured here."""
    assignments = list(
        Assignment.objects.filter(campaign=campaign).order_by("position").values_list("item", "pk", "order")
    )
    same = {"campaign": campaign.pk, "person": by.pk, "submitted_at": timezone.now(), "seconds": 1.0}
    same |= {"revision": 1, "guideline_version": 1, "outcome": "answered", "late": False, "pilot": False}
    rows = (
        (*same.values(), item, assignment, order, UUID(int=assignment), orjson.dumps(content).decode())
        for (item, assignment, order), content in zip(assignments, contents, strict=True)
    )
    copy_rows(Answer, [*same, "item", _assignment(), "order", "key", "content"], rows)
    Assignment.objects.filter(campaign=campaign).update(state=Assignment.State.DONE, annotator=by)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")  # as autovacuum does while answers come one by one; here they came at once


def _assignment() -> str:
    """The field of an answer's assignment, by the name that this commit has for it."""
    return next(field.name for field in Answer._meta.fields if field.related_model is Assignment)


class _Site:
    """Somebody who is signed in and takes files; `servers` are those whose processor time is counted."""

    def __init__(self, port: int, session: str, servers: list[int], figures: Figures) -> None:
        self._port, self._session, self._servers, self._figures = port, session, servers, figures

    def fetched(self, name: str, address: str, lines: int | None) -> Took:
        """From asking to the last byte, the best of a few; the processor time is the mean of them."""
        request = urllib.request.Request(
            f"http://{HOST}:{self._port}{address}", headers={"Cookie": f"sessionid={self._session}"}
        )
        bodies, clocks = list[bytes](), list[float]()

        def fetch() -> None:
            began = time.perf_counter()
            with urllib.request.urlopen(request) as response:  # noqa: S310 (our own address)
                bodies.append(response.read())
            clocks.append(time.perf_counter() - began)

        processor = sum(timed(fetch, self._servers).processor for _ in range(TRIES)) / TRIES
        if lines is not None and (found := bodies[0].count(b"\n")) != lines:
            raise UserError("The export has {found} lines, and {lines} were expected.", found=found, lines=lines)
        self._figures.tell([Figure(f"{name}: size", len(bodies[0]), "bytes")])
        return Took(min(clocks), processor)


def _raw(site: _Site, campaign: Campaign, answers: int) -> dict[str, Took]:
    """The answers of a campaign in each form; an answer is a rating of one output on three criteria."""
    from annotation.answer_export import EXPORT_FORMATS

    address = reverse("campaign_answers_file", args=[campaign.study.slug, campaign.slug])
    lines = {"jsonl": answers, "long": CRITERIA * answers + 1, "wide": answers + 1}
    names = {form: f"export of {answers:,} ratings, {form}, over HTTP" for form in EXPORT_FORMATS}
    return {name: site.fetched(name, f"{address}?format={form}", lines.get(form)) for form, name in names.items()}


def _read(study: Study, count: int) -> None:
    found = sum(1 for _ in judgements(study))
    if found != count:
        raise UserError("There are {found} judgements, and {count} were expected.", found=found, count=count)


def _release(campaign: Campaign, rows: int) -> Took:
    """The quickest of a few releases of the rewrites."""
    made = min(releasing(campaign.pk) for _ in range(TRIES))
    if made.count != rows:
        raise UserError("The release has {rows} rows, and {expected} were expected.", rows=made.count, expected=rows)
    return made._replace(count=0)
