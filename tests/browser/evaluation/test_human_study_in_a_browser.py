"""A human study in a real browser: planned with its cost in sight, opened, rated, and seen on its page."""

from playwright.sync_api import expect
from support import campaigns
from support.demo_site import sign_in
from support.processes import wait_until

from accounts.permissions import Role
from evaluation.models import HumanStudy


def test_from_the_plan_to_the_first_rating(new_page, web_server):
    study = campaigns.study(items=6, systems=2)
    researcher, rater = (campaigns.person(role, study) for role in (Role.RESEARCHER, Role.CROWD_ANNOTATOR))
    page = new_page()
    sign_in(page, researcher, web_server.url)
    held = []
    page.route("**/human/preview/", lambda route: held.append(route), times=1)
    page.goto(f"/studies/{study.slug}/human/new/?preset=fu")
    save = page.get_by_role("button", name="Save the plan")
    wait_until(lambda: held or page.wait_for_timeout(50), "The cost was not asked for.")
    place = save.bounding_box()
    held.pop().continue_()
    expect(page.locator("#preview .tile", has_text="Judgements").locator("dd")).to_have_text("36")
    assert save.bounding_box() == place, "it stays where it is while the cost comes in"
    page.get_by_label("Name").fill("Which is closer?")
    page.get_by_label("People per output").fill("2")
    page.get_by_label("People per output").blur()
    judgements = page.locator("#preview .tile", has_text="Judgements").locator("dd")
    expect(judgements).to_have_text("24")  # 6 sentences, 2 texts, 2 people
    expect(page.locator("#preview")).to_contain_text("Similarity:")
    page.get_by_role("button", name="Save the plan").click()
    expect(page.get_by_role("heading", name="Which is closer?")).to_be_visible()

    planned = HumanStudy.objects.filter(study=study).values().get()
    page.get_by_role("link", name="Change the plan").click()
    page.get_by_role("button", name="Save the plan").click()
    expect(page.get_by_role("heading", name="Which is closer?")).to_be_visible()
    assert HumanStudy.objects.filter(study=study).values().get() == planned

    page.get_by_role("button", name="Open it").click()
    page.get_by_role("dialog").get_by_role("button", name="Open").click()
    expect(page.get_by_text("it has 0 of 12 planned answers")).to_be_visible()
    expect(page.locator(".hash")).to_have_text(study.human_studies.get().frozen["sha256"])

    work = new_page()
    sign_in(work, rater, web_server.url)
    campaign = study.human_studies.get().campaigns.get()
    work.goto(f"/studies/{study.slug}/campaigns/{campaign.slug}/work/")
    for name in ("rating-0-similarity", "rating-1-similarity"):
        work.locator(f'[name="{name}"][value="2"]').check(force=True)
    work.get_by_role("button", name="Submit").click()
    expect(work.locator("body")).to_contain_text("1 done")

    page.reload()
    expect(page.get_by_text("it has 1 of 12 planned answers")).to_be_visible()
    expect(page.get_by_role("row", name=str(rater))).to_contain_text("1")


def test_criteria_are_added_and_removed_one_at_a_time(new_page, web_server):
    study = campaigns.study(items=2, systems=2)
    page = new_page()
    sign_in(page, campaigns.person(Role.RESEARCHER, study), web_server.url)
    page.goto(f"/studies/{study.slug}/human/new/?preset=fu")
    rows = page.get_by_role("group", name="Criterion")
    expect(rows).to_have_count(1)
    page.get_by_role("button", name="Add a criterion").click()
    expect(page.locator(":focus")).to_have_attribute("name", "criteria-2-name")
    page.keyboard.type("fluency")
    expect(rows.nth(1).locator("summary")).to_contain_text("fluency")
    rows.nth(1).get_by_label("Scale").select_option("fluency_5")
    expect(rows.nth(1).locator("summary")).to_contain_text("fluency_5")
    rows.nth(0).locator("summary").click()
    page.get_by_role("button", name="Remove criterion 1").click()
    expect(page.get_by_role("button", name="Add a criterion")).to_be_focused()
    expect(rows).to_have_count(1)
    page.get_by_label("Name").fill("Fluency alone")
    expect(page.locator("#preview")).to_contain_text("fluency:", ignore_case=True)
    expect(page.locator("#preview")).not_to_contain_text("similarity:", ignore_case=True)  # else the button moves yet
    page.get_by_role("button", name="Save the plan").click()
    expect(page.get_by_role("heading", name="Fluency alone")).to_be_visible()
    assert [one["name"] for one in study.human_studies.get().criteria] == ["fluency"]
