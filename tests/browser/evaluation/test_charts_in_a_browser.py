"""Charts in a browser: the numbers behind a point by pointer, finger and keys; a chart in a dialog; smoothed curves."""

import pytest
from playwright.sync_api import expect
from support import campaigns, checkpoints, demo_site, screenshots
from support.axe import faults

from accounts.permissions import Role
from modelserving.models import TrainingCurve

STEPS = list(range(10, 1010, 10))
LOSS = [5 * 0.99 ** (step / 10) + 0.5 + step % 3 / 10 for step in STEPS]


@pytest.fixture
def page_of_a_training(new_page, web_server):
    """A page, and the address of a training that is over: a loss, a tune score, the best checkpoint at step 500."""
    study = campaigns.study(items=3)
    run = checkpoints.training(study)
    run.model, run.best = "seq2seq", {"curve": "bleu", "step": 500, "value": 31.0, "better": "higher"}
    run.save()
    TrainingCurve.objects.create(run=run, name="loss", steps=STEPS, values=LOSS)
    scores = [31 - abs(step - 500) / 100 for step in STEPS[9::10]]
    TrainingCurve.objects.create(run=run, name="bleu", steps=STEPS[9::10], values=scores, better="higher")
    page = new_page()
    demo_site.sign_in(page, campaigns.person(Role.RESEARCHER, study), web_server.url)
    return page, f"/studies/{study.slug}/models/trainings/{run.pk}/"


def said(page):
    """What the chart says of the point that is looked at, by name."""
    rows = page.locator(".chart-tip:visible dl")
    return dict(zip(rows.locator("dt").all_inner_texts(), rows.locator("dd").all_inner_texts(), strict=True))


def test_a_chart_is_read_smoothed_and_enlarged(page_of_a_training):
    page, address = page_of_a_training
    for step in (
        the_numbers_behind_a_point_by_keys_and_by_pointer,
        the_best_checkpoint_is_marked_and_curves_are_smoothed,
        a_chart_is_as_large_as_the_window_in_a_dialog,
    ):
        page.goto(address)
        expect(page.locator("[data-figure].readable svg")).to_be_visible()
        step(page)


def the_numbers_behind_a_point_by_keys_and_by_pointer(page):
    chart = page.locator("[data-figure]")
    chart.focus()
    page.keyboard.press("Home")
    assert (said(page)["Step"], said(page)["Loss (nats per token)"]) == ("10", f"{LOSS[0]:.4f}".rstrip("0"))
    page.keyboard.press("ArrowRight")
    assert said(page)["Step"] == "20"
    expect(page.locator("#announcer")).to_contain_text("Step 20")
    page.keyboard.press("Escape")
    expect(page.locator(".chart-tip")).to_be_hidden()
    page.keyboard.press("End")
    ring = page.locator(".chart-ring").bounding_box()
    page.keyboard.press("Escape")
    page.mouse.move(ring["x"] + ring["width"] / 2, ring["y"] + ring["height"] / 2)
    expect(page.locator(".chart-tip")).to_be_visible()
    assert any(name.startswith("BLEU") for name in said(page)) or "Best checkpoint" in said(page).values()


def the_best_checkpoint_is_marked_and_curves_are_smoothed(page):
    marked = page.locator("[data-figure] :is([fill='#D55E00'], [stroke='#D55E00'])")
    assert marked.count() >= 3, "a line in each panel and a diamond on the score"
    page.locator("[data-figure]").focus()
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    assert said(page)["Smoothed"] == said(page)["Loss (nats per token)"]
    page.get_by_label("Smoothing").fill("0.8")
    page.get_by_label("Loss on a logarithmic scale").check()
    page.wait_for_url("**smooth=0.8**log=1**")
    page.reload()
    expect(page.locator("[data-figure].readable svg")).to_be_visible()
    page.locator("[data-figure]").focus()
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    smooth = (0.8 * 0.2 * LOSS[0] + 0.2 * LOSS[1]) / (1 - 0.8**2)
    assert float(said(page)["Smoothed"]) == pytest.approx(smooth, abs=1e-3)
    screenshots.shoot(page, "training-curves")


def a_chart_is_as_large_as_the_window_in_a_dialog(page):
    small = page.locator("[data-figure] svg").bounding_box()
    button = page.get_by_role("button", name="Enlarge")
    button.focus()
    page.keyboard.press("z")
    dialog = page.get_by_role("dialog")
    expect(dialog.locator(".readable svg")).to_be_visible()
    assert dialog.locator("svg").bounding_box()["height"] > small["height"]
    dialog.locator(".readable").focus()
    page.keyboard.press("ArrowRight")
    assert "Step" in said(page)
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(button).to_be_focused()
    assert faults(page) == []
    page.set_viewport_size(screenshots.PHONE)
    assert page.locator("[data-figure]").bounding_box()["width"] <= 390
