"""The language of a study's texts: named by form, API or study file, and said by every text of its pages."""

import json
from pathlib import Path

import pytest
from django.core.management import call_command
from django.urls import reverse
from support import campaigns

from corpora.actions.create_study import create_study
from corpora.actions.edit_study import edit_study
from corpora.models import Study
from foundation.errors import UserError
from studies.actions.duplicate_study import duplicate_study

pytestmark = pytest.mark.django_db


def test_it_is_kept_in_its_usual_form_and_copied_with_the_study():
    study = create_study(slug="tone", title="Tone", styles=["a", "b"], language="pt_br")
    assert Study.objects.get().language == "pt-BR"
    edit_study(study=study, title="Tones")
    assert Study.objects.get().language == "pt-BR"
    assert duplicate_study(study=study, slug="tone-2", title="Another").language == "pt-BR"
    with pytest.raises(UserError, match="BCP 47"):
        edit_study(study=study, language="Portuguese")


def test_the_form_changes_it_and_says_what_is_wrong(browser, study):
    fields = {"title": "Tone", "styles": ", ".join(study.styles), "unit": "sentence"}
    address = reverse("study_edit", args=[study.slug])
    refused = browser.post(address, fields | {"language": "German"})
    assert refused.status_code == 422
    assert "BCP 47 tag" in refused.content.decode()
    assert browser.post(address, fields | {"language": "de"}).status_code == 302
    assert 'value="de"' in browser.get(address).content.decode()


def test_the_api_changes_it(api, researcher):
    body = {"slug": "ton", "title": "Ton", "styles": ["a", "b"], "language": "DE"}
    made = api.post(reverse("api:study-list"), json.dumps(body), content_type="application/json")
    assert (made.status_code, made.json()["language"]) == (201, "de")
    address = reverse("api:study-detail", args=["ton"])
    assert (
        api.patch(address, json.dumps({"language": "fr"}), content_type="application/json").json()["language"] == "fr"
    )
    assert api.patch(address, json.dumps({"language": "?"}), content_type="application/json").status_code == 400


def test_a_study_file_declares_it(tmp_path: Path):
    (tmp_path / "study.toml").write_text(
        '[study]\nslug = "ton"\ntitle = "Ton"\nstyles = ["a", "b"]\nlanguage = "zh-hans"\n'
    )
    call_command("apply_study", tmp_path / "study.toml")
    assert Study.objects.get(slug="ton").language == "zh-Hans"


@pytest.mark.parametrize("language", ["hi", ""])
def test_the_work_page_says_it_for_the_text_and_for_what_is_typed(client, language):
    study = campaigns.study(items=1)
    Study.objects.filter(pk=study.pk).update(language=language)
    client.force_login(campaigns.person(study=study))
    campaign = campaigns.campaign(study)
    page = client.get(reverse("campaign_work", args=[study.slug, campaign.slug])).content.decode()
    assert f'dir="auto" lang="{language}" id="source-text" data-diff-source' in page
    assert f'dir="auto" lang="{language}" spellcheck="true"' in page
