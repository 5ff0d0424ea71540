"""A release made and read in a browser, and its file taken home whole."""

import hashlib

from playwright.sync_api import expect
from support import campaigns
from support.demo_site import sign_in

from accounts.permissions import Role
from annotation.actions.make_release import make_release
from annotation.models import ReleaseFile, ReleaseRun
from annotation.tasks import release


def test_a_release_is_asked_for_read_and_taken_home(page, web_server, tmp_path):
    study = campaigns.study(items=2)
    lead = campaigns.person(Role.RESEARCHER, study)
    campaign = campaigns.campaign(study, guideline="# How\n\nWrite *formally*.")
    worker = campaigns.person(study=study)
    for _ in range(2):
        campaigns.hand_in(campaign, worker, campaigns.held(campaign, worker))
    sign_in(page, lead, web_server.url)
    page.goto(f"/studies/{study.slug}/gold/")
    page.get_by_role("link", name="Create a release").click()
    page.get_by_label("GYAFC corpus layout").check()
    page.get_by_role("button", name="Create release").click()
    expect(page.locator("#job-state .badge")).to_have_text("Queued")
    release(ReleaseRun.objects.get().job_id)  # as a worker does; the page asks by itself
    page.get_by_text("Done", exact=True).first.wait_for()
    assert ReleaseRun.objects.get().release.number == 1
    page.goto(f"/studies/{study.slug}/gold/")
    page.get_by_role("link", name="Release 1").click()
    expect(page.get_by_role("link", name="gold.jsonl")).to_be_visible()
    with page.expect_download() as taken:
        page.get_by_role("link", name="gold.jsonl").click()
    taken.value.save_as(tmp_path / "gold.jsonl")
    whole = (tmp_path / "gold.jsonl").read_bytes()
    assert hashlib.sha256(whole).hexdigest() == ReleaseFile.objects.get(name="gold.jsonl").sha256
    make_release(study=study, settings={}, changes="Nothing, to see it said.")
    page.goto(f"/studies/{study.slug}/gold/releases/2/")
    page.get_by_text("Nothing, to see it said.").first.wait_for()
    page.get_by_text("Rows added: 0, removed: 0, changed: 0.").wait_for()
