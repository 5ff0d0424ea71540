"""A researcher cancels a run in a real browser and runs it again; `test_whole_way` runs a model to its end."""

import pytest
from playwright.sync_api import expect
from support import campaigns as made
from support.demo_site import sign_in

from accounts.permissions import Role
from jobs.execution import run_job
from jobs.models import Job
from modelserving.transfer_runs import run_transfer


@pytest.fixture
def study(web_server):
    return made.study(items=40)


@pytest.fixture
def lead(page, study, web_server):
    """The page, with somebody who leads the study signed in."""
    sign_in(page, made.person(Role.RESEARCHER, study), web_server.url)
    return page


def test_a_run_that_nobody_has_begun_is_cancelled_and_run_again(lead, study):
    lead.goto(f"/studies/{study.slug}/systems/run/")
    lead.get_by_label("Name of the system").fill("Rules")
    lead.get_by_role("button", name="Run", exact=True).click()
    lead.get_by_text("Waiting for a worker").wait_for()
    lead.get_by_role("button", name="Cancel").click()
    lead.get_by_text("The job was asked to stop.").wait_for()
    lead.get_by_role("button", name="Run again").click()
    expect(lead.locator("#job-state .badge")).to_have_text("Queued")
    run_job(Job.objects.get().pk, run_transfer)  # as a worker does; the page asks by itself
    lead.get_by_role("link", name="See the outputs").wait_for()
