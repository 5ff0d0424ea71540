"""A site at https://lab.example/restyle/, through a real proxy, beside another site of the same host."""

import json
import re
import subprocess
import sys
import urllib.request
from urllib.parse import urlsplit

import pytest
from django.conf import settings as django_settings
from django.utils import timezone
from playwright.sync_api import expect
from support import campaigns as make
from support.clients import with_token
from support.items_ahead import open_with_items_ahead
from support.processes import WebServer, wait_until
from support.proxies import proxy

from accounts.permissions import Role
from annotation.models import Answer
from notifications.models import NotificationLedger


@pytest.fixture(scope="module")
def below(request, tmp_path_factory):
    """A server below the path, and the proxy before it; started once, as that takes longer than any of these tests."""
    folder = tmp_path_factory.mktemp("below")
    environment = {**request.getfixturevalue("_processes_environment"), "RESTYLE_PATH": "restyle"}
    environment["EMAIL_URL"] = f"filemail:///{folder}/mails"
    server = WebServer(django_settings.DATA, environment, "-below", cores=1)  # a worker takes two seconds to start
    server.ensure_up()
    for name in ("nginx", "mails"):
        (folder / name).mkdir()
    with proxy(server.port, folder / "nginx") as url:
        yield url, server, folder / "mails"
    server.stop()


@pytest.fixture
def site(below, transactional_db):
    return below


@pytest.fixture
def browse(site, _chromium):
    with _chromium.profiles(site[0]) as open_page:
        yield open_page


def sign_in(page, who):
    page.get_by_label("Email").fill(who.email)
    page.get_by_label("Password", exact=True).fill(make.PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()


def test_all_of_it_lies_below_the_path(site, browse):
    study = make.study(items=2, systems=1)
    campaign, who = make.campaign(study), make.person(Role.CROWD_ANNOTATOR, study)
    page, asked, refused = browse(), [], []
    page.goto("/")
    expect(page.get_by_text("another site")).to_be_visible()
    page.on("request", lambda request: asked.append(urlsplit(request.url).path))
    page.on("response", lambda answer: refused.append((answer.status, answer.url)) if answer.status >= 400 else None)
    page.goto("/restyle/")
    sign_in(page, who)
    page.wait_for_url("**/restyle/work/")
    hrefs = page.eval_on_selector_all("a[href], form[action]", "all => all.map(one => one.href || one.action)")
    assert {urlsplit(one).path.split("/")[1] for one in hrefs if one.startswith("http")} == {"restyle"}
    page.goto(f"/restyle/studies/{study.slug}/campaigns/{campaign.slug}/work/")
    page.get_by_label("Rewrite in the other style").fill("I have to see number one.")
    expect(page.locator("[data-saved]")).to_have_text("Saved")
    page.keyboard.press("Control+Enter")
    expect(page.locator("[data-diff-source]")).to_have_text("gotta see number 2 , u know")
    assert Answer.objects.get().content == {"text": "I have to see number one."}
    page.goto("/restyle/docs/api/")
    page.goto("/restyle/no/such/page/")
    assert page.get_by_role("link", name="Back to the studies").get_attribute("href") == "/restyle/"
    assert {path.split("/")[1] for path in asked} == {"restyle"}
    assert [one for one in refused if one[0] != 404] == []
    cookies = {one["name"]: one["path"] for one in page.context.cookies()}
    own = dict.fromkeys(["restyle_sessionid", "restyle_csrftoken", "known"], "/restyle/")
    assert cookies == {"sessionid": "/", "csrftoken": "/", **own}
    page.goto("/restyle/account/")
    page.evaluate("localStorage.setItem('of-another-site', 'kept')")
    page.locator("form[data-signs-out]").first.evaluate("form => form.requestSubmit()")
    page.wait_for_url("**/restyle/accounts/login/**")
    assert page.evaluate("localStorage.getItem('of-another-site')") == "kept"


# The description of the whole API takes four seconds; where its addresses lie is said before the first of them.
SENT_AND_DESCRIBED = """
import django, json
django.setup()
from drf_spectacular.generators import SchemaGenerator
from notifications.tasks import send_due
send_due()
print(json.dumps(SchemaGenerator(patterns=[]).get_schema(request=None, public=True)["servers"]))
"""


def emptied(mails):
    for file in mails.iterdir():
        file.unlink()


def links_of(mails):
    """The links of all mails, without what is secret in them."""
    found = {link for file in mails.iterdir() for link in re.findall(r"https?://\S+", file.read_text())}
    return {link.partition("/join/")[0] for link in found}


def test_mails_and_the_description_name_the_path(site):
    url, server, mails = site
    study, admin = make.study(), make.person(Role.ADMIN)
    campaign, who = make.campaign(study), make.person(study=study)
    asked = with_token(admin).defaults["HTTP_AUTHORIZATION"]

    def ask(path, **said):
        data = json.dumps(said).encode() if said else None
        headers = {"Authorization": asked, "Content-Type": "application/json", "Accept": "application/json"}
        with urllib.request.urlopen(urllib.request.Request(url + path, data, headers)) as answer:
            return json.load(answer)

    emptied(mails)
    ask("/restyle/api/invitations/", email="new@example.org", role=Role.RESEARCHER)
    assert links_of(mails) == {f"{url}/restyle"}
    emptied(mails)
    NotificationLedger.objects.create(person=who, looked_at=timezone.now())
    there = {**server._environment, "RESTYLE_SITE": "https://lab.example/restyle/"}
    made = subprocess.run(
        [sys.executable, "-c", SENT_AND_DESCRIBED], env={**there, "DJANGO_SETTINGS_MODULE": "config.settings"},
        check=True, stdout=subprocess.PIPE,
    )  # fmt: skip
    assert json.loads(made.stdout) == [{"url": "/restyle"}]
    work = f"https://lab.example/restyle/studies/{study.slug}/campaigns/{campaign.slug}/work/"
    home = "https://lab.example/restyle/"
    assert links_of(mails) == {work, home, f"{home}account/notifications/"}


@pytest.mark.soak
def test_the_work_goes_on_without_a_network(site, browse):
    study = make.study(items=3)
    campaign, who = make.campaign(study, prefetch=2), make.person(study=study)
    page = browse()
    page.goto("/restyle/accounts/login/")
    sign_in(page, who)
    page.wait_for_url("**/restyle/work/")
    open_with_items_ahead(page, f"/restyle/studies/{study.slug}/campaigns/{campaign.slug}/work/")
    page.context.set_offline(True)
    for number in (1, 2):
        expect(page.locator("#work")).to_have_attribute("data-say", f"Item {number}")
        page.locator("textarea[name=text]").fill(f"I have to see number {number}.")
        page.locator("textarea[name=text]").press("Control+Enter")
    expect(page.locator("#waiting [data-count]")).to_have_text("2 answers wait for the network")
    page.context.set_offline(False)
    wait_until(lambda: Answer.objects.count() == 2, "what waited was not sent")
    texts = list(Answer.objects.order_by("item__number").values_list("content__text", flat=True))
    assert texts == ["I have to see number 1.", "I have to see number 2."]


def test_a_proxy_may_leave_the_path_and_probes_need_none(site):
    _, server, _ = site
    for path in ("/health/live", "/restyle/health/live", "/health/ready", "/restyle/accounts/login/"):
        with urllib.request.urlopen(server.url + path) as answer:
            assert answer.status == 200
    with urllib.request.urlopen(f"{server.url}/accounts/login/") as answer:
        page = answer.read().decode()
    for path in ('"/restyle/static/restyle/css/site', 'action="/restyle/accounts/login/"'):
        assert path in page
