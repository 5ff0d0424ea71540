"""Runs compared in a real browser: noted, tagged, filtered, chosen in the list, and seen over one another."""

import pytest
from playwright.sync_api import expect
from support import campaigns, demo_site
from support.checkpoints import job_that_is_over
from support.screenshots import shoot

from accounts.permissions import Role
from modelserving.models import TrainingCurve, TrainingRun

NOTES = "Stopped rising after 20,000 steps.\nTry a larger batch: " + "the loss still falls, slowly. " * 12


@pytest.fixture
def study(web_server):
    made = campaigns.study(items=2)
    for seed, name in enumerate(("Transformer, small", "Transformer, large", "LSTM with attention"), 1):
        run = TrainingRun.objects.create(
            job=job_that_is_over(made), study=made, name=name, model="dictionary", direction=made.directions.first(),
            styles=["informal", "formal"], seed=seed, seconds=900 * seed, options={"hidden": 64 * seed, "dropout": 0.1},
            best={"curve": "bleu", "step": 3000, "value": 20.0 + seed, "better": "higher"},
            tags=["asset", "long run"] if seed < 3 else [], notes=NOTES if seed == 2 else "",
        )  # fmt: skip
        steps = list(range(100, 4000, 100))
        for curve, better, values in (
            ("loss", "", [4 / (1 + step / (500 * seed)) for step in steps]),
            ("bleu", "higher", [(20 + seed) * step / (step + 800) for step in steps]),
        ):
            TrainingCurve.objects.create(run=run, name=curve, better=better, steps=steps, values=values)
    return made


def test_from_the_list_to_the_curves(new_page, study, web_server):
    page = new_page()
    complaints = []
    page.on("console", lambda said: complaints.append(said.text) if said.type in ("error", "warning") else None)
    demo_site.sign_in(page, campaigns.person(Role.RESEARCHER, study), web_server.url)
    page.goto(f"/studies/{study.slug}/models/")
    page.get_by_role("link", name="LSTM with attention").click()
    page.get_by_label("Notes", exact=True).fill("A baseline.")
    page.get_by_label("Tags", exact=True).fill("asset, baseline")
    shoot(page, "training-notes")
    page.get_by_role("button", name="Save the notes").click()
    expect(page.get_by_text("Saved.")).to_be_visible()
    page.goto(f"/studies/{study.slug}/models/")
    shoot(page, "models-tags")
    page.get_by_role("navigation", name="Tags").get_by_role("link", name="long run").click()
    expect(page.locator("table.models tbody tr")).to_have_count(2)
    page.get_by_role("checkbox", name="Compare Transformer, small").check()
    page.get_by_role("checkbox", name="Compare Transformer, large").check()
    page.get_by_role("button", name="Compare the chosen trainings").click()
    expect(page.locator(".vega svg")).to_be_visible()
    expect(page.get_by_role("row", name="hidden")).to_contain_text("128")
    expect(page.get_by_role("row", name="dropout")).to_have_count(0)
    shoot(page, "runs-compare")
    page.get_by_role("link", name="which are equal").click()
    expect(page.get_by_role("row", name="dropout")).to_contain_text("0.1")
    page.get_by_text("Choose runs").click()
    page.get_by_label("LSTM with attention").check()
    page.get_by_role("button", name="Compare", exact=True).click()
    expect(page.get_by_role("columnheader")).to_have_count(4)
    assert complaints == []
