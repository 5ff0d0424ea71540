import pytest
from django.test import Client
from django.urls import reverse
from support.campaigns import campaign, hand_in, held, person

from accounts.permissions import Role
from corpora.actions.edit_study import edit_study
from corpora.models import Membership, Study


def test_a_new_study_is_its_makers(browser: Client, researcher) -> None:
    answer = browser.post(reverse("study_new"), {"title": "Rude & polite", "styles": "rude, polite", "slug": ""})
    made = Study.objects.get()
    assert answer.headers["Location"] == reverse("study", args=["rude-polite"])
    assert (made.slug, made.styles, made.made_by) == ("rude-polite", ["rude", "polite"], researcher)
    assert Membership.objects.get().role == Role.RESEARCHER


def test_the_short_name_of_a_second_study_is_numbered(browser: Client) -> None:
    for title in ("New", "Néw"):
        browser.post(reverse("study_new"), {"title": title, "styles": "a, b", "slug": ""})
    assert list(Study.objects.order_by("pk").values_list("slug", flat=True)) == ["new-2", "new-3"]


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"slug": "tone"}, "There is a study &#x27;tone&#x27; already"),
        ({"slug": "apply"}, "There is a study &#x27;apply&#x27; already"),
        ({"slug": "Not So"}, "A short name is lower-case letters"),
        ({"styles": "one"}, "two different styles or more"),
        ({"styles": "one, two-three"}, "no hyphen"),
        ({"title": ""}, "This field is required"),
    ],
)
def test_a_study_that_cannot_be_is_said_beside_the_field(
    browser: Client, study: Study, changes: dict[str, str], sentence: str
) -> None:
    answer = browser.post(reverse("study_new"), {"title": "T", "styles": "a, b", "slug": "t", **changes})
    assert answer.status_code == 422
    assert sentence in answer.content.decode()
    assert Study.objects.count() == 1


def test_the_overview_leads_to_the_first_step_that_is_not_done(browser: Client, study: Study) -> None:
    steps = browser.get(reverse("study", args=["tone"])).context["steps"]
    assert [(step.name, step.state) for step in steps[:3]] == [
        ("texts", "done"), ("references", "next"), ("systems", "later"),
    ]  # fmt: skip


def test_ends_taken_from_the_names_of_styles_are_told(browser: Client) -> None:
    form = {"title": "Abstracts", "slug": "abstracts", "styles": "technical, plain"}
    page = browser.post(reverse("study_new"), form, follow=True).content.decode()
    assert "For scales and metrics, simple means plain and complex means technical, by the names of" in page
    assert Study.objects.get(slug="abstracts").poles == {"simple": "plain", "complex": "technical"}
    form |= {"slug": "moods", "title": "Moods", "styles": "sad, glad"}
    told = browser.post(reverse("study_new"), form, follow=True)
    assert "For scales and metrics" not in told.content.decode()


def test_a_reviewer_sees_the_way_but_no_button(signed_in, study: Study) -> None:
    page = signed_in(Role.REVIEWER).get(reverse("study", args=["tone"])).content.decode()
    assert "Steps of this study" in page
    assert "button primary" not in page
    assert reverse("study_texts", args=["tone"]) in page
    assert "studies/tone/gold/" not in page


def test_rewrites_are_gold_and_no_judgements(browser: Client, study: Study) -> None:
    made = campaign(study, name="Make it formal")
    writer = person(Role.CROWD_ANNOTATOR, study)
    hand_in(made, writer, held(made, writer))
    steps = {step.name: step for step in browser.get(reverse("study", args=["tone"])).context["steps"]}
    assert (steps["gold"].done, steps["gold"].has, steps["judgements"].done) == (True, "1 rewrite", False)


def test_a_number_of_answers_says_which_campaigns_it_is_of(browser: Client, study: Study) -> None:
    """The home page counts campaigns under way, the tile all, and the step those that judge."""
    made = campaign(study, name="Make it formal")
    writer = person(Role.CROWD_ANNOTATOR, study)
    hand_in(made, writer, held(made, writer))
    page = " ".join(browser.get(reverse("study", args=["tone"])).content.decode().split())
    assert "<dt>Answers in all campaigns</dt><dd>1</dd>" in page
    assert "0 answers in judging campaigns" in page


def test_an_annotator_sees_the_work_and_not_the_texts(signed_in, study: Study) -> None:
    open_one = campaign(study, name="Make it formal")
    campaign(study, name="Not yet", state="draft")
    campaign(study, name="For experts", roles=[Role.EXPERT_ANNOTATOR])
    client = signed_in(Role.CROWD_ANNOTATOR)
    page = client.get(reverse("study", args=["tone"])).content.decode()
    assert reverse("campaign_work", args=["tone", open_one.slug]) in page
    assert "Not yet" not in page
    assert "For experts" not in page
    assert "u ok?" not in page
    assert client.get(reverse("study_texts", args=["tone"])).status_code == 403


def test_editing_keeps_styles_that_stand(browser: Client, study: Study) -> None:
    form = {"title": "Tones", "license": "CC0", "description": "", "styles": "informal, formal, neutral"}
    assert browser.post(reverse("study_edit", args=["tone"]), form).status_code == 302
    answer = browser.post(reverse("study_edit", args=["tone"]), {**form, "styles": "formal, neutral"})
    assert answer.status_code == 422
    assert "cannot be removed: informal" in answer.content.decode()
    study.refresh_from_db()
    assert (study.title, study.styles) == ("Tones", ["informal", "formal", "neutral"])


def test_settings_are_saved_a_group_at_a_time(browser: Client, study: Study) -> None:
    address = reverse("study_edit", args=["tone"])
    before = (study.title, study.terms)
    done = browser.post(address, {"section": "unit", "unit": "document"})
    assert done["Location"] == f"{address}#unit"
    study.refresh_from_db()
    assert (study.unit, study.title, study.terms) == ("document", *before)
    wrong = browser.post(address, {"section": "about", "title": "", "license": "CC0"})
    assert wrong.status_code == 422
    study.refresh_from_db()
    assert study.license != "CC0"
    part = browser.post(address, {"section": "access", "terms": "Be kind."}, headers={"HX-Request": "true"})
    assert part.status_code == 200
    assert '<p id="saved-access" role="status">Saved.' in part.content.decode()


def test_the_ends_of_scales_follow_from_the_names_of_styles(browser: Client, study: Study) -> None:
    address = reverse("study_edit", args=["tone"])
    fields = {"section": "styles", "styles": "informal, formal, plain, technical", "style_words": ""}
    new = {"end_new": "chatty", "end_new_style": "informal"}
    browser.post(address, {**fields, **new, "told_0": "as in a chat", "told_1": ""})
    study.refresh_from_db()
    assert study.style_descriptions == {"informal": "as in a chat"}
    assert study.poles == {"simple": "plain", "complex": "technical", "chatty": "informal"}
    browser.post(address, {**fields, "end_0": "plain", "end_1": "", "end_2": ""})
    study.refresh_from_db()
    assert study.poles == {"simple": "plain"}  # what is said wins over what is inferred
    section = browser.get(address).context["sections"]["styles"]
    assert section.ends == {"simple": "plain", "complex": "technical"}
    assert section.inferred == ["complex"]


def test_a_new_style_brings_the_end_that_its_name_says(study: Study) -> None:
    edit_study(study=study, styles=["informal", "formal", "plain", "technical"])
    assert study.poles == {"simple": "plain", "complex": "technical"}
    edit_study(study=study, poles={})
    assert edit_study(study=study, title="Tones").poles == {}
