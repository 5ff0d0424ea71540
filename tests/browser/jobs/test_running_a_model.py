"""A researcher runs a model and watches its job in a real browser."""

import pytest
from support import campaigns as made
from support.demo_site import sign_in

from accounts.permissions import Role


@pytest.fixture
def study(celery_workers):
    return made.study(items=40)


@pytest.fixture
def lead(page, study, web_server):
    """The page, with somebody who leads the study signed in."""
    sign_in(page, made.person(Role.RESEARCHER, study), web_server.url)
    return page


def test_a_model_runs_and_its_page_follows(lead, study):
    lead.goto(f"/studies/{study.slug}/systems/run/")
    lead.get_by_label("Name of the system").fill("Rules")
    lead.get_by_role("button", name="Run", exact=True).click()
    lead.wait_for_url("**/jobs/*/")
    lead.get_by_role("link", name="See the outputs").wait_for()  # it comes by itself
    assert lead.locator("#job-state .badge").inner_text().lower() == "done"
    assert "40 of 40 sources have an output." in lead.locator("#job-log").inner_text()
    assert lead.locator("#job-told").inner_text() == "40 of 40 sources have an output."
    lead.get_by_role("link", name="See the outputs").click()
    lead.wait_for_url("**/systems/*/")
    assert lead.get_by_role("heading", name="Rules").is_visible()


def test_a_run_that_nobody_has_begun_is_cancelled_and_run_again(lead, study, celery_workers):
    celery_workers.kill("gpu")
    lead.goto(f"/studies/{study.slug}/systems/run/")
    lead.get_by_label("Name of the system").fill("Rules")
    lead.get_by_role("button", name="Run", exact=True).click()
    lead.get_by_text("Waiting for a worker").wait_for()
    lead.get_by_role("button", name="Cancel").click()
    lead.get_by_text("The job was asked to stop.").wait_for()
    lead.get_by_role("button", name="Run again").click()
    celery_workers.ensure_up()
    lead.get_by_role("link", name="See the outputs").wait_for()


def test_a_name_that_is_taken_is_said_beside_the_form(lead, study):
    from modelserving.actions.start_transfer import start_transfer

    start_transfer(study=study, model="rule_based_formality", name="Rules", by=None)
    lead.goto(f"/studies/{study.slug}/systems/run/")
    lead.get_by_label("Name of the system").fill("Rules")
    lead.get_by_role("button", name="Run", exact=True).click()
    lead.get_by_text("The study has a system 'Rules' already.").wait_for()
    assert lead.get_by_label("Name of the system").input_value() == "Rules"
