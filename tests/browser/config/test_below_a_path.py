"""A site at https://lab.example/restyle/, through a real proxy, beside another site of the same host."""

import urllib.request
from urllib.parse import urlsplit

import pytest
from django.conf import settings as django_settings
from playwright.sync_api import expect
from support import campaigns as make
from support.processes import WebServer
from support.proxies import proxy

from accounts.permissions import Role
from annotation.models import Answer


@pytest.fixture
def site(request, transactional_db, settings, tmp_path):
    settings.PASSWORD_HASHERS = ["support.passwords.Remembered"]  # the server's own, not the cheap one of tests without
    environment = {**request.getfixturevalue("_processes_environment"), "RESTYLE_PATH": "restyle"}
    server = WebServer(django_settings.DATA, environment, "-below")
    server.ensure_up()
    (tmp_path / "nginx").mkdir()
    with proxy(server.port, tmp_path / "nginx") as url:
        yield url, server
    server.stop()


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


def test_a_proxy_may_leave_the_path_and_probes_need_none(site):
    _, server = site
    for path in ("/health/live", "/restyle/health/live", "/health/ready", "/restyle/accounts/login/"):
        with urllib.request.urlopen(server.url + path) as answer:
            assert answer.status == 200
    with urllib.request.urlopen(f"{server.url}/accounts/login/") as answer:
        page = answer.read().decode()
    for path in ('"/restyle/static/restyle/css/site', 'action="/restyle/accounts/login/"'):
        assert path in page
