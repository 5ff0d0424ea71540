"""A study's own scales: made on the page and by the API, chosen in campaigns, imports and study files."""

import io

import pytest
from django.core.management import call_command
from django.urls import reverse
from django.utils.html import escape
from support import campaigns as make
from support.clients import as_person, with_token
from support.study_files import beginning

from accounts.permissions import Role
from annotation.forms import criteria_form
from annotation.models import Answer, Criterion, StudyScale
from corpora.formats import TextFile
from corpora.table_parser import understand
from evaluation.actions.bring_in_judgements import bring_in_judgements
from evaluation.imported_judgements.judgement_plan import guess_meanings, plan_import
from evaluation.models import Judgement
from evaluation.snapshot_builder.build import snapshot_of

pytestmark = pytest.mark.django_db
MOOD = "mood | ordinal | -1 Rude | 0 | 1 Polite | informal > formal"
PART = "part | interval | 0 .. 1 step 0.01 | 0 Nothing | 1 All"


@pytest.fixture
def study():
    return make.study(items=4, systems=2)


@pytest.fixture
def lead(study):
    return make.person(Role.RESEARCHER, study)


def test_a_scale_is_made_on_the_page_and_removed(study, lead):
    client, address = as_person(lead), reverse("study_scales", args=[study.slug])
    given = {"name": "mood", "measurement": "ordinal", "levels": "-1 Rude\n0\n1 Polite", "low_pole": "informal",
             "high_pole": "formal"}  # fmt: skip
    assert client.post(address, given)["Location"] == address
    assert study.scales.get().line == MOOD
    assert escape(MOOD) in client.get(address).content.decode()
    wrong = client.post(address, {**given, "name": "other", "levels": "1 Rude\n0 Polite"})
    assert wrong.status_code == 422
    assert "from the lowest to the highest" in wrong.content.decode()
    assert client.post(address, given).status_code == 422  # the name is taken
    client.post(reverse("scale_remove", args=[study.slug, study.scales.get().pk]))
    assert not StudyScale.objects.exists()


def test_a_scale_is_made_by_the_api(study, lead):
    client, address = with_token(lead), reverse("api:scale-list", args=[study.slug])
    made = client.post(address, {"line": "part|interval|0 .. 1 step 0.01|0 Nothing|1 All"}, format="json")
    assert (made.status_code, made.json()["line"]) == (201, PART)
    assert client.post(address, {"line": "part | interval | 1 .. 0"}, format="json").status_code == 400
    assert [one["name"] for one in client.get(address).json()] == ["part"]
    assert client.delete(reverse("api:scale-detail", args=[study.slug, made.json()["id"]])).status_code == 204


def test_people_rate_on_it_and_the_report_knows_it(study, lead):
    StudyScale.objects.create(study=study, name="mood", line=MOOD)
    assert (MOOD, "mood") in criteria_form(study).forms[0].fields["scale"].choices
    criteria = [{"name": "mood", "scale": MOOD}, {"name": "part", "scale": PART}]
    campaign, who = make.campaign(study, "rate", settings={"criteria": criteria}), make.person(study=study)
    page = as_person(who).get(reverse("campaign_work", args=[study.slug, campaign.slug])).content.decode()
    assert 'step="0.01"' in page
    assert "Polite" in page
    while work := make.claim(campaign, who).work:
        ratings = [{"mood": 1 - 2 * place, "part": 0.3} for place in work.order]
        make.hand_in(campaign, who, work, content={"ratings": ratings}, seconds=4.0)
    assert Answer.objects.count() == 4
    judged = snapshot_of(study).judgements["raw"]
    assert {name: (one.scale, one.lowest, one.highest, one.level, one.poles) for name, one in judged.items()} == {
        "mood": (MOOD, -1.0, 1.0, "ordinal", ("informal", "formal")), "part": (PART, 0.0, 1.0, "interval", None),
    }  # fmt: skip
    assert sorted(set(judged["part"].value.tolist())) == [0.3]


def table(text):
    return understand(TextFile(text.encode(), "ratings.csv"))


@pytest.mark.parametrize(("values", "line"), [
    (("0", "1"), "good | ordinal | 0 | 1"), (("-1", "0", "1"), "good | ordinal | -1 | 0 | 1"),
    (("0.25", "0.5"), "good | interval | 0 .. 1 step 0.01"), (("-3", "250"), "good | interval | -3 .. 250 step 0.1"),
])  # fmt: skip
def test_judgements_come_in_on_a_scale_of_their_own(study, values, line):
    text = "rater,number,system,good\n" + "".join(
        f"r,{1 + n},RuleBasedSecret,{value}\n" for n, value in enumerate(values)
    )
    with table(text) as opened:
        mapping = {**guess_meanings(study, opened, {}), "good": "rating: good"}
        (question,) = [one for one in plan_import(study, opened, mapping, {}, {}).open if one.name == "scale-good"]
        assert line in dict(question.choices)
        answers = {"scale-good": line, "aspect-good": "overall"}
        bring_in_judgements(study=study, table=opened, mapping=mapping, answers=answers)
    assert Criterion.objects.get().scale == line
    assert sorted(Judgement.objects.values_list("value", flat=True)) == sorted(map(float, values))


def test_a_studys_scale_is_offered_to_an_import(study):
    StudyScale.objects.create(study=study, name="mood", line=MOOD)
    with table("rater,number,system,mood\nr,1,RuleBasedSecret,polite\nr,2,RuleBasedSecret,-1\n") as opened:
        mapping = {**guess_meanings(study, opened, {}), "mood": "rating: mood"}
        answers = {"scale-mood": MOOD, "aspect-mood": "style"}
        plan = plan_import(study, opened, mapping, {}, answers)
    assert [judgement.value for judgement in plan.judgements] == [1, -1]


def test_a_study_file_names_the_line(tmp_path):
    (tmp_path / "sources.txt").write_text("yo\nbye\n")
    (tmp_path / "rules.txt").write_text("Hello.\nGoodbye.\n")
    (tmp_path / "ratings.csv").write_text("who;id;Part\nada;1;0.25\nada;2;0.5\n")
    (tmp_path / "study.toml").write_text(
        beginning("sources.txt")
        + f"""
[[systems]]
name = "Rules"
outputs = [{{ direction = "informal-formal", file = "rules.txt" }}]

[[ratings]]
file = "ratings.csv"
settings = {{ system = "Rules" }}
answers = {{ scale-part = "{PART}" }}

[ratings.mapping]
who = "rater"
id = "number"
Part = "rating: part"

[ratings.criteria]
part = {{ scale = "{PART}" }}
"""
    )
    for _ in range(2):
        call_command("apply_study", str(tmp_path / "study.toml"), stdout=io.StringIO())
        assert list(Judgement.objects.order_by("pk").values_list("value", flat=True)) == [0.25, 0.5]
    assert Criterion.objects.get().scale == PART
