"""What holds for pages: nothing inline is allowed, error pages in the site's look, few queries, static files."""

import subprocess
import sys
from types import SimpleNamespace

import pytest
from django.db import connection, transaction
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from factories.handles import handle
from factories.routes import ROWS
from support.site_routes import routes

from foundation.project import version

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def world(django_db_setup, django_db_blocker):
    from factories.whole_study import WholeStudy, person

    with django_db_blocker.unblock(), transaction.atomic():
        admin = person("admin")
        yield SimpleNamespace(admin=admin, whole=WholeStudy(workers=[admin]), target=person("reviewer"))
        transaction.set_rollback(True)


@pytest.fixture
def client(world):
    client = Client()
    client.force_login(world.admin)
    return client


def address(world, key):
    whole = world.whole
    number = whole.gold_import.pk if key.startswith("gold_import") else whole.release.number
    values = {
        "study": whole.study.slug, "campaign": whole.campaign.slug, "job": whole.job.pk, "system": whole.system.pk,
        "direction": whole.direction.number, "person": world.target.pk,
        "answer": handle("answer", whole.answer_of(world.admin).pk, world.admin),
        "form": ROWS[key].objects.get("form", ""), "secret": "x" * 43, "entrant": whole.participant.pk,
        "document": whole.document.pk, "worker": whole.answer_of(world.admin).person_id,
        "number": number, "name": ROWS[key].objects.get("name", ""), "human": whole.human.slug,
        "training": whole.training.pk, "checkpoint": whole.checkpoint.pk, "transfer": whole.transfer.pk, "key": "a-b",
        "sweep": whole.sweep.pk,
        "removal": whole.removal.pk, "upload": whole.upload.pk, "rater": ROWS[key].objects.get("rater", ""),
        "link": whole.public_link.pk,
        "recruitment": whole.recruitment.pk, "order": whole.order.pk,
        "webhook": whole.webhook.pk, "delivery": whole.delivery.pk,
    }  # fmt: skip
    if key.startswith("site_webhook"):
        values |= {"webhook": whole.site_delivery.webhook_id, "delivery": whole.site_delivery.pk}
    if key == "public_page":
        values["secret"] = whole.public_secret
    if key.startswith("crowd"):
        values["entrant"] = handle("entrant", whole.participant.pk, whole.participant.person)
    return reverse(key, kwargs={name: values[name] for name in routes()[key].names})


def test_the_policy_allows_nothing_inline(client):
    policy = client.get("/")["Content-Security-Policy"]
    assert "unsafe" not in policy
    assert "default-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "object-src 'none'" in policy


@pytest.mark.parametrize("path", ["/nothing/here/", "/studies/nothing/", "/studies/nothing/jobs/1/"])
def test_what_is_not_there_is_said_in_the_sites_look(client, path):
    answer = client.get(path)
    assert answer.status_code == 404
    assert "<h1>Page not found</h1>" in answer.content.decode()
    assert "Content-Security-Policy" in answer


def test_what_is_forbidden_is_said(client, world):
    from factories.whole_study import person

    client.force_login(person("crowd_annotator"))
    answer = client.get("/people/")
    assert answer.status_code == 403
    assert "<h1>You may not do this</h1>" in answer.content.decode()


def test_an_expired_page_is_told_from_a_forbidden_one(world):
    answer = Client(enforce_csrf_checks=True).post("/accounts/login/", {"login": "a", "password": "b"})
    assert answer.status_code == 403
    assert "<h1>This page has expired</h1>" in answer.content.decode()


def test_a_malformed_request_is_said(client):
    answer = Client(headers={"host": "evil.example"}, raise_request_exception=False).get("/")
    assert answer.status_code == 400


def test_an_error_of_the_program_is_said_without_a_database():
    from config.pages.error_pages import server_error

    with connection.execute_wrapper(lambda *_: pytest.fail("It asked the database.")):
        page = server_error(RequestFactory().get("/"))
        answer = server_error(RequestFactory().get("/api/me/"))
    assert page.status_code == answer.status_code == 500
    assert "<h1>Something went wrong</h1>" in page.content.decode()
    assert b"The program made an error." in answer.content


@pytest.mark.parametrize("path", ["/api/nothing/", "/api/studies/a b/"])
def test_below_api_errors_are_json(client, path):
    answer = client.get(path)
    assert answer.status_code == 404
    assert answer.json() == {"detail": "There is nothing at this address."}


# The session, the person, and what the page itself asks for; it does not grow with the rows that it shows.
MOST_QUERIES = {
    "home": 10, "study": 18, "study_report": 8, "study_trust": 8, "metrics_choose": 11, "study_jobs": 6, "job": 6,
    "campaign_work": 14,
}  # fmt: skip


@pytest.mark.parametrize("key", MOST_QUERIES)
def test_a_page_asks_the_database_little(key, client, world):
    url = address(world, key)
    client.get(url)
    with CaptureQueriesContext(connection) as asked:
        assert client.get(url).status_code == 200
    assert len(asked) <= MOST_QUERIES[key], "\n".join(query["sql"] for query in asked)


@pytest.mark.parametrize("key", ["home", "study_jobs"])
def test_more_rows_are_no_more_queries(key, client, world):
    from django.utils import timezone
    from support import campaigns as made

    from jobs.models import Job

    url = address(world, key)

    def count():
        with CaptureQueriesContext(connection) as asked:
            client.get(url)
        return len(asked)

    count()
    before = count()
    for number in range(5):
        made.study(items=1)
        Job.objects.create(
            task="t", queue="gpu", title=f"Job {number}", study_slug=world.whole.study.slug, queued_at=timezone.now(),
            made_by=world.admin, state="done",
        )  # fmt: skip
    assert count() == before


def test_the_version_stands_at_the_foot_of_a_page_for_people_of_the_site(client):
    assert f"another way. {version()}</span>" in client.get(reverse("home")).content.decode()
    assert version() not in Client().get(reverse("account_login")).content.decode()


def test_static_files_are_served_as_in_production(tmp_path, request):
    """Collected, hashed, compressed, and served by the application itself with DEBUG off."""
    script = """
import django, json, re; django.setup()
from django.conf import settings
from django.core.management import call_command
from django.test import Client
assert not settings.DEBUG
call_command("collectstatic", "--noinput", verbosity=0)
page = Client(headers={"host": "localhost"}).get("/accounts/login/").content.decode()
found = re.findall(r'(?:href|src)="(/static/[^"]+)"', page)
assert len(found) > 5, found
for url in found:
    answer = Client(headers={"host": "localhost"}).get(url, headers={"accept-encoding": "gzip"})
    assert answer.status_code == 200, url
    assert re.search(r"\\.[0-9a-f]{12}\\.", url), url
    assert "immutable" in answer["Cache-Control"], answer.headers
    kinds = {"text/css", "text/javascript", "image/svg+xml", "font/woff2"}
    assert answer["Content-Type"].split(";")[0] in kinds, answer.headers
    b"".join(answer.streaming_content)
assert Client(headers={"host": "localhost"}).get("/static/none.css").status_code == 404
paths = json.loads((settings.STATIC_ROOT / "staticfiles.json").read_text())["paths"]
imports = 0
for path in (settings.STATIC_ROOT / hashed for name, hashed in paths.items() if name.startswith("restyle/js/")):
    for imported in re.findall(r'^(?:import |.*from )"([.][^"]+)";', path.read_text(), re.MULTILINE):
        target = (path.parent / imported).resolve().relative_to(settings.STATIC_ROOT.resolve())
        assert str(target) in paths.values(), (path, imported)
        imports += 1
assert imports
"""
    environment = {**request.getfixturevalue("_processes_environment"), "RESTYLE_DATA": str(tmp_path)}
    environment["DJANGO_SETTINGS_MODULE"] = "config.settings"
    subprocess.run([sys.executable, "-c", script], env=environment, check=True, timeout=120)
