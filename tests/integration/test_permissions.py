"""Every route, every method, everybody: who is let in and who is refused, by the table in `factories/routes.py`."""

import itertools
import json
from types import SimpleNamespace
from urllib.parse import urlencode

import pytest
from django.conf import settings
from django.db import connection, transaction
from django.http import HttpResponse
from django.test import Client
from django.urls import path, reverse
from factories.handles import MARKED, handle, mark_keys
from factories.routes import ACCOUNTS, ROLES, ROWS, Row
from rest_framework.response import Response
from rest_framework.views import APIView
from support.let_in import ASKED, client_that_may_ask
from support.page_headers import wrong_in_page
from support.site_routes import routes

pytestmark = pytest.mark.django_db

METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE")
CLOSED = "This address is closed: Restyle does not use it."
SECRET = "x" * 43
SECRET_ID = "00000000-0000-4000-8000-000000000000"

# Everybody who tries: their role on the site and in the study.
PEOPLE = {
    "anonymous": (None, None),
    "outsider": ("researcher", None),
    **{role: (role, None if role == "admin" else role) for role in ROLES},
    "a researcher who is crowd here": ("researcher", "crowd_annotator"),
    "crowd who is a researcher here": ("crowd_annotator", "researcher"),
}
ANNOTATORS = {"expert_annotator", "crowd_annotator", "a researcher who is crowd here"}


@pytest.fixture(scope="module")
def world(django_db_setup, django_db_blocker):
    """Two studies with one of everything, and everybody; it is all rolled back at the end."""
    from factories.whole_study import WholeStudy, person, token

    from accounts.actions.make_reset_link import make_reset_link
    from accounts.actions.set_credential import set_credential
    from accounts.authentication import digest_of
    from accounts.models import AccessLink
    from corpora.models import Membership

    with django_db_blocker.unblock(), transaction.atomic():
        mark_keys("annotation", "corpora")
        people = {name: person(site) for name, (site, _) in PEOPLE.items() if site}
        first = WholeStudy()
        for name, (_, role) in PEOPLE.items():
            if role:
                Membership.objects.create(study=first.study, person=people[name], role=role)
        whole = _with_answers(first, [people[name] for name in PEOPLE if name in people and name != "outsider"])
        other = WholeStudy()
        target = person("reviewer")
        set_credential(person=target, name="md", by=people["admin"])
        _, reset = make_reset_link(person=target, by=people["admin"])
        AccessLink.objects.filter(pk=whole.invitation.link_id).update(digest=digest_of(SECRET))
        tokens = {name: token(who) for name, who in people.items()}
        sessions = {name: _session(who) for name, who in people.items()}
        yield SimpleNamespace(
            people=people, here=whole, other=other, target=target, reset=reset, tokens=tokens, sessions=sessions,
            client=client_that_may_ask(raise_request_exception=False),
        )  # fmt: skip
        transaction.set_rollback(True)


@pytest.fixture(autouse=True)
def point(world, db):
    """What a request wrote is undone as far as here."""
    world.point = transaction.savepoint()


def _session(who):
    client = Client()
    client.force_login(who)
    return client.cookies[settings.SESSION_COOKIE_NAME].value


def _with_answers(whole, workers):
    """The study with an answer of each worker in its campaign."""
    from support import campaigns as made

    whole.campaign = made.campaign(whole.study, name="Everybody rewrites", overlap=len(workers) + 1, by=whole.lead)
    type(whole.recruitment_link).objects.filter(pk=whole.recruitment_link.pk).update(campaign=whole.campaign)
    type(whole.machine).objects.filter(pk=whole.machine.pk).update(of=whole.campaign)
    for worker in workers:
        made.hand_in(whole.campaign, worker, made.held(whole.campaign, worker))
    return whole


def address(world, key, names, row, who, foreign=""):
    """The address of a route with real objects; `foreign` is the name whose object is another study's."""
    if "/" in key:
        return "/" + key
    values = {name: _value(world, world.other if name == foreign else world.here, name, row, who) for name in names}
    return reverse(key, kwargs=values)


def _value(world, whole, name, row, who):
    wanted = row.objects.get(name, name)
    person = world.people.get(who)
    made = {
        "study": lambda: whole.study.slug,
        "campaign": lambda: whole.campaign.slug,
        "human": lambda: whole.human.slug,
        "answer": lambda: whole.answer_of(person).pk,
        "person": lambda: world.target.pk,
        "own answer": lambda: handle("answer", whole.answer_of(person).pk, person or whole.lead),
        "own review": lambda: handle("review", whole.review_of(person).pk, person or whole.lead),
        "worker": lambda: whole.answer_of(person).person_id,
        "token": lambda: world.tokens.get(who, world.tokens["admin"])[0].pk,
        "link": lambda: whole.invitation.link_id,
        "invitation secret": lambda: SECRET,
        "reset secret": lambda: world.reset,
        "public link": lambda: whole.public_link.pk,
        "judge run": lambda: whole.judge_run.pk,
        "machine": lambda: whole.machine.pk,
        "public link secret": lambda: whole.public_secret,
        "order": lambda: whole.order.pk,
        "recruitment": lambda: whole.recruitment.pk,
        "site webhook": lambda: world.here.site_delivery.webhook_id,
        "site delivery": lambda: world.here.site_delivery.pk,
        "own scale": lambda: whole.study.scales.get_or_create(name="mood", line="mood | ordinal | 0 | 1")[0].pk,
        "entrance": lambda: whole.recruitment_link.pk,
        "entrant": lambda: whole.participant.pk,
        "direction": lambda: whole.direction.number,
        "number": lambda: whole.ratings.number,
        "item number": lambda: 1,
        "release number": lambda: whole.release.number,
        "provider_id": lambda: "oidc",
        "uidb36": lambda: "1",
        "key": lambda: "a-b",
        "credential": lambda: "md",
        "nobody's": lambda: 2**31,
        "nobody's handle": lambda: "0" * 32,
        "own question": lambda: _question(whole, person),
    }
    if wanted in made:
        return made[wanted]()
    thing = getattr(whole, wanted, None)
    return thing.pk if thing is not None else wanted


def _question(whole, person):
    """The key of a sentence that they have tried."""
    from modelserving import typed_sentences

    if person is None:
        return "a-b"
    one = typed_sentences.Question(
        f"of-{person.pk}", person.pk, whole.study.pk, "wat r u doin", ("informal", "formal"), ()
    )
    typed_sentences.store_question(one)
    return one.key


def ask(world, who, method, url, body=b"", kind="application/x-www-form-urlencoded", only=False):
    """The answer to a real request of a browser that knows nothing but the session, undone afterwards if it was let in.

    Where it asks `only` whether it is let in, it ends before the page.
    """
    client = world.client  # one for all: each new one would load the middleware anew
    client.cookies.clear()
    if who in world.sessions:
        client.cookies[settings.SESSION_COOKIE_NAME] = world.sessions[who]
    refused = False
    try:
        answer = client.generic(method, url, body, content_type=kind, headers=ASKED if only else None)
        refused = only or answer.status_code in (401, 403, 404, 405)
    finally:
        if not refused or connection.needs_rollback:  # else there is nothing to undo, which took as long as to ask
            transaction.savepoint_rollback(world.point)
    return answer


def expected(row, key, method, who):
    """'in', or how somebody is refused."""
    role = PEOPLE[who][1 if row.study else 0]
    if PEOPLE[who][0] == "admin":
        role = "admin"
    if (role or "anonymous" if who == "anonymous" else role) in row.allowed[method]:
        return "in"
    if who == "anonymous":
        return 401 if key.startswith("api") and key != "api_page" else "sign in"
    return 404 if row.study and role is None else 403


def found(answer, row):
    """What the answer was."""
    if answer.status_code == 302 and answer["Location"].startswith("/accounts/login/?next="):
        return "sign in"
    if answer.status_code in (401, 403, 404) and answer.status_code not in row.also:
        return answer.status_code
    return "in" if answer.status_code < 500 or answer.status_code in row.also else answer.status_code


def _is_endpoint(key):
    return key.startswith("api") and key != "api_page"


SECRETS = ("join", "reset", "crowd_enter", "public_page")


def _is_private(row, key, who):
    """Whether no cache may keep the answer: the route asks for a sign-in or a secret, or somebody is signed in."""
    return who != "anonymous" or key in SECRETS or not any("anonymous" in people for people in row.allowed.values())


def told(answer):
    """All that came back."""
    body = b"".join(answer.streaming_content) if answer.streaming else answer.content
    return f"{dict(answer.headers)} {answer.cookies.output()} {body.decode(errors='replace')}"


def test_every_route_of_ours_has_a_row_and_every_row_a_route():
    from accounts.permissions.routes import ROUTES

    assert {key for key, route in routes().items() if route.ours} <= set(ROWS) <= set(routes())
    assert set(ROUTES) - set(ROWS) == {"look"}, "a route of developers alone"


@pytest.mark.parametrize("key", list(ROWS))
def test_route(key, world):
    wrong = [*wrong_people(key, world), *wrong_methods(key, world), *wrong_options(key, world)]
    assert not wrong, "\n".join([key, *wrong])


@pytest.mark.soak
@pytest.mark.parametrize("key", list(ROWS))
def test_a_page_or_an_endpoint_answers_everybody_who_is_let_in(key, world):
    wrong = list(wrong_people(key, world, shown_to=PEOPLE))
    assert not wrong, "\n".join([key, *wrong])


def ones_turn(key):
    """Annotators are answered by each route, since it may tell them too much; of the others it is each one's turn."""
    row, place = ROWS[key], list(ROWS).index(key)
    others = [
        who for who in PEOPLE if who not in ANNOTATORS and "in" in {expected(row, key, how, who) for how in row.allowed}
    ]
    return ANNOTATORS | {"anonymous", *others[place % max(1, len(others)) :][:1]}


def wrong_people(key, world, shown_to=None):
    """Whether each method lets in whom its row names, and tells them what they may know; and how a page is sent.

    `shown_to` are answered, and the others only let in.
    """
    names, row = routes()[key].names, ROWS[key]
    looked_at = _is_endpoint(key)  # as a page
    shown_to = shown_to or ones_turn(key)
    for who, method in itertools.product(PEOPLE, row.allowed):
        if method == "HEAD" and who not in ("anonymous", "outsider", "crowd_annotator"):
            continue  # as GET
        want = expected(row, key, method, who)
        only = want == "in" and who not in shown_to
        answer = ask(world, who, method, address(world, key, names, row, who), only=only)
        got = found(answer, row)
        if got != want:
            yield f"{method} by {who}: expected {want}, found {got} ({answer.status_code})"
        elif got == "in" and method == "GET" and not looked_at and not only:
            looked_at = True
            yield from (f"The page: {wrong}" for wrong in wrong_in_page(answer))
        if who in ANNOTATORS and (keys := MARKED.findall(told(answer))):
            yield f"{method} by {who}: keys of the database {keys}, where handles belong"
        if _is_private(row, key, who) and answer.get("Cache-Control") != "private, no-store":
            yield f"{method} by {who}: caches were told {answer.get('Cache-Control')!r}"


def wrong_methods(key, world):
    """A method that the row does not name is no method of the route."""
    names, row = routes()[key].names, ROWS[key]
    for method in METHODS if key not in ACCOUNTS else ():
        if method not in row.allowed:
            status = ask(world, "admin", method, address(world, key, names, row, "admin")).status_code
            if status != 405:
                yield f"{method} is no method of the route, and was answered with {status}"


def wrong_options(key, world):
    """OPTIONS is refused as the other methods are: one asks of those who may, one for each way of being refused."""
    names, row = routes()[key].names, ROWS[key]
    asked = set()
    for who in PEOPLE:
        ways = frozenset(expected(row, key, method, who) for method in row.allowed)
        if ways in asked or ("in" in ways and who != "admin"):
            continue
        asked.add(ways)
        answer = ask(world, who, "OPTIONS", address(world, key, names, row, who))
        if answer.status_code >= 500 or (len(ways) == 1 and "in" not in ways and found(answer, row) not in ways):
            yield f"OPTIONS by {who}: expected {set(ways)}, found {answer.status_code}"


WITHIN = {
    "campaign", "document", "answer", "own answer", "own review", "direction", "references", "system", "job",
    "member", "invitation", "number",
    "entrance", "entrant", "human", "training", "recruitment", "order", "webhook", "delivery", "checkpoint", "transfer",
    "upload", "sweep", "run",
}  # fmt: skip
# Endpoints that say it beside the form, in the same words as for an item that nobody knows.
NOT_THERE = {"campaign_draft": 422, "api:campaign-draft": 400}
# A body that passes the first look of every endpoint which reads it before it looks for the thing.
BODY = {
    "slot": "0" * 32, "lease": SECRET_ID, "key": SECRET_ID, "version": 1, "content": {"text": "Hello."},
    "text": "Hello.",
    "kind": "unreadable", "comment": "None.", "answer": 1, "verdict": "accepted", "role": "reviewer",
    "act": "resume", "state": "closed", "goal": 3, "site": "prolific", "consent": "I agree.", "is_open": False,
    "item": 1, "form": {"text": "Hello."}, "reason": "They asked for it.",
    "name": "A study", "description": "Rewrite.", "order": "refresh", "happened": True, "is_on": False,
}  # fmt: skip


@pytest.mark.parametrize("key", [key for key, row in ROWS.items() if row.study])
def test_a_thing_of_another_study_is_not_found_here(key, world):
    names, row = routes()[key].names, ROWS[key]
    api = key.startswith("api:")
    body, kind = (
        (json.dumps(BODY), "application/json") if api else (urlencode(BODY), "application/x-www-form-urlencoded")
    )
    for name in names:
        if row.objects.get(name, name) in WITHIN:
            url = address(world, key, names, row, "admin", foreign=name)
            for method in row.allowed:
                status = (ask_fitting if api else ask)(world, "admin", method, url, body, kind).status_code
                assert status == NOT_THERE.get(key, 404), f"{method} {url}"


def ask_fitting(world, who, method, url, body, kind):
    """The answer to as much of the body as the endpoint takes: it names what it does not."""
    left = json.loads(body)
    while True:
        answer = ask(world, who, method, url, json.dumps(left).encode(), kind)
        strange = set(answer.json().get("fields", ())) & set(left) if answer.status_code == 400 else set()
        if not strange:
            return answer
        left = {name: value for name, value in left.items() if name not in strange}


@pytest.fixture
def brought(settings):
    """A page and endpoints without a row, as a new release of a library may bring; the requests that reached them."""
    reached = []

    class Endpoint(APIView):
        def get(self, request):
            reached.append(request)
            return Response({})

    def page(request):
        reached.append(request)
        return HttpResponse()

    import config.urls as usual

    addresses = [
        *usual.urlpatterns,
        path("brought/", page, name="brought"),
        path("api/brought/", Endpoint.as_view(), name="brought-endpoint"),
        path("api/brought/page/", page, name="brought-page"),
    ]
    settings.ROOT_URLCONF = type("addresses", (), {**vars(usual), "urlpatterns": addresses})
    return reached


@pytest.mark.parametrize("who", PEOPLE)
def test_a_route_without_a_row_is_closed_to_everybody_and_says_so(who, world, brought):
    page = ask(world, who, "GET", "/brought/")
    assert page.status_code == 403
    assert CLOSED in page.content.decode()
    assert "Your role does not allow it" not in page.content.decode()
    for url in ("/api/brought/", "/api/brought/page/"):
        answer = ask(world, who, "GET", url)
        assert (answer.status_code, answer.json()) == (403, {"detail": CLOSED}), url
    assert brought == []


def test_what_a_library_brings_and_nobody_uses_is_closed(world):
    for key in set(routes()) - set(ROWS):
        url = address(world, key, routes()[key].names, Row({}), "admin")
        for who, method in itertools.product(("anonymous", "crowd_annotator", "admin"), ("GET", "POST")):
            answer = ask(world, who, method, url)
            assert (answer.status_code, CLOSED in answer.content.decode()) == (403, True), f"{method} {key} by {who}"
