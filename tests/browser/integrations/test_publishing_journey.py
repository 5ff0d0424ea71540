"""Releases and models go to the Hub and to Zenodo by presses in a real browser, and from the Hub to another study."""

import pytest
from playwright.sync_api import expect
from support import axe, campaigns
from support.checkpoints import checkpoint
from support.demo_site import sign_in
from support.hub import TOKEN, hub
from support.zenodo import TOKEN as ZENODO_TOKEN
from support.zenodo import zenodo

from accounts.permissions import Role
from annotation.actions.make_release import make_release
from annotation.models import GoldImport
from annotation.tasks import import_gold
from corpora.actions.create_study import create_study
from corpora.models import Membership, Study
from integrations.publishing.models import Publication
from integrations.publishing.tasks import publish


@pytest.fixture
def lead(page, web_server):
    """The page, with somebody signed in who leads a study with a release, and an empty one."""
    study = campaigns.study(items=2)
    study.slug, study.license = "tone", "CC BY 4.0"
    study.save()
    person = campaigns.person(Role.RESEARCHER, study)
    Membership.objects.create(
        study=create_study(slug="empty", title="Empty", styles=study.styles), person=person, role=Role.RESEARCHER
    )
    campaign, worker = campaigns.campaign(study), campaigns.person(study=study)
    for _ in range(2):
        campaigns.hand_in(campaign, worker, campaigns.held(campaign, worker))
    make_release(study=study, settings={})
    sign_in(page, person, web_server.url)
    return page


def done(page):
    """Do the newest publication as a worker does, while the page of its job asks by itself."""
    publish(Publication.objects.first().job_id)
    page.get_by_text("Done", exact=True).first.wait_for()


def test_a_release_is_pushed_to_the_hub_and_pulled_into_an_empty_study(lead, settings):
    with hub() as served:
        settings.HUGGING_FACE_URL = served.url
        lead.goto("/studies/tone/gold/")
        lead.get_by_role("link", name="Publish", exact=True).click()
        push = lead.locator(".card").filter(has=lead.get_by_role("heading", name="Push", exact=True))
        push.get_by_label("Repository").fill("lab")
        push.get_by_label("Access token").fill(TOKEN)
        push.get_by_role("button", name="Push it").click()
        expect(lead.get_by_text("Give owner and name of the repository").first).to_be_visible()
        assert not Publication.objects.exists()
        push.get_by_label("Repository").fill("lab/tone")
        push.get_by_label("Access token").fill(TOKEN)
        push.get_by_role("button", name="Push it").click()
        lead.wait_for_url("**/jobs/*/")
        done(lead)
        lead.goto("/studies/empty/publish/")
        pull = lead.locator(".card").filter(has=lead.get_by_role("heading", name="Pull", exact=True))
        pull.get_by_label("Repository").fill("lab/tone")
        pull.get_by_label("Access token").fill(TOKEN)
        pull.get_by_role("button", name="Pull it").click()
        lead.wait_for_url("**/jobs/*/")
        done(lead)
        import_gold(GoldImport.objects.get().job_id)
        lead.goto("/studies/empty/publish/")
        assert axe.faults(lead) == []
        lead.get_by_role("link", name="Import it").click()
        expect(lead.get_by_role("button", name="Import", exact=True)).to_be_visible()


def test_a_release_becomes_a_draft_on_zenodo(lead, settings):
    with zenodo() as served:
        settings.ZENODO_SANDBOX_URL = served.url
        lead.goto("/studies/tone/publish/")
        hub_alone = [lead.get_by_label("Repository").first, lead.get_by_label("Private").first]
        assert [field.is_visible() for field in hub_alone] == [True, True]
        lead.get_by_label("Service").select_option(label="Zenodo's sandbox")
        assert [field.is_visible() for field in hub_alone] == [False, False], "a draft has no repository"
        expect(lead.get_by_label("Content").locator("option[value=model]")).to_have_count(0)  # no model is there
        lead.get_by_label("Access token").first.fill(ZENODO_TOKEN)
        lead.get_by_role("button", name="Push it").click()
        lead.wait_for_url("**/jobs/*/")
        done(lead)
        lead.goto("/studies/tone/publish/")
        expect(lead.get_by_text("Reserved DOI: 10.5281/zenodo.100.")).to_be_visible()
        assert len(served.drafts[100].files) == Publication.objects.get().result["files"]


def test_a_model_is_pushed_from_its_page_and_pulled_into_another_study(lead, settings, tmp_path):
    settings.WORK_FOLDER = tmp_path / "work"
    own = checkpoint(Study.objects.get(slug="tone"), tmp_path)
    with hub() as served:
        settings.HUGGING_FACE_URL = served.url
        lead.goto(f"/studies/tone/models/checkpoints/{own.pk}/")
        lead.get_by_role("link", name="Publish", exact=True).last.click()
        push = lead.locator(".card").filter(has=lead.get_by_role("heading", name="Push", exact=True))
        expect(push.get_by_label("Content")).to_have_value("model")
        expect(push.get_by_label("Trained model")).to_have_value(str(own.pk))
        expect(push.get_by_label("Release")).to_be_hidden()
        push.get_by_label("Content").select_option("release")
        expect(push.get_by_label("Release")).to_be_visible()
        expect(push.get_by_label("Trained model")).to_be_hidden()
        push.get_by_label("Content").select_option("model")
        push.get_by_label("Repository").fill("lab/model")
        push.get_by_label("Access token").fill(TOKEN)
        push.get_by_role("button", name="Push it").click()
        lead.wait_for_url("**/jobs/*/")
        done(lead)
        lead.goto("/studies/empty/publish/")
        pull = lead.locator(".card").filter(has=lead.get_by_role("heading", name="Pull", exact=True))
        pull.get_by_label("Repository").fill("lab/model")
        pull.get_by_label("Access token").fill(TOKEN)
        pull.get_by_label("A trained model").check()
        pull.get_by_role("button", name="Pull it").click()
        lead.wait_for_url("**/jobs/*/")
        done(lead)
        lead.goto("/studies/empty/publish/")
        lead.get_by_role("link", name="Look at the model").click()
        expect(lead.get_by_role("heading", name="Dictionary", level=1)).to_be_visible()
