"""The map of raters: groups stand together, each number has its texts, and nobody is named."""

import pytest
from django.test import Client
from django.urls import reverse
from support import campaigns

from accounts.permissions import Role
from annotation.campaigns.criteria import keep_criteria
from corpora.formats import Judgement
from corpora.models import Study
from evaluation.actions.import_ratings import import_ratings
from evaluation.actions.make_report import make_report
from evaluation.reporting.rater_pairs import FEWEST
from evaluation.statistics import STATISTICS

pytestmark = pytest.mark.django_db
HIGH, LOW = [1, 5, 2, 4, 1, 5, 3, 2], [5, 1, 4, 2, 5, 1, 3, 4]
VALUES = {"zoltan": HIGH, "yvonne": LOW, "xaver": [*HIGH[:7], 3], "wanda": [*LOW[:7], 3]}


@pytest.fixture(scope="module")
def made_once(kept_for_the_file):
    """Two groups of raters who contradict each other, and one who judged too little."""
    made = campaigns.study(items=8, systems=1)
    keep_criteria(made, [{"name": "fluency", "scale": "likert_5", "aspect": "", "beside": "nothing"}])
    given = [
        Judgement(rater, f"gotta see number {n} , u know", f"You should see {n} in manner 1.", "formal", "fluency",
                  value, None, n)
        for rater, values in {**VALUES, "viktor": HIGH[: FEWEST - 1]}.items() for n, value in enumerate(values, 1)
    ]  # fmt: skip
    import_ratings(study=made, format="mturk", file_name="ratings.csv", judgements=given)
    make_report(study=made)
    return made.pk


@pytest.fixture
def study(made_once):
    return Study.objects.get(pk=made_once)


@pytest.fixture
def client(study):
    client = Client()
    client.force_login(campaigns.person(Role.REVIEWER, study))
    return client


def pair(stored, a, b):
    return next(one for one in stored["pairs"] if {one["a"], one["b"]} == {a, b})


def test_a_pair_has_the_alpha_of_the_texts_that_both_judged(study):
    (stored,) = study.report.content["rater_pairs"]
    alpha = STATISTICS["krippendorff_alpha"].agree(
        [1] * 8 + [2] * 8, [*range(8), *range(8)], [*HIGH, *VALUES["xaver"]], "interval"
    )
    same = pair(stored, 1, 3)
    assert same["items"] == 8
    assert stored["measurement"] in ("interval", "ordinal")
    if stored["measurement"] == "interval":
        assert same["value"] == pytest.approx(alpha.value)
    assert same["value"] > 0.8 > 0 > pair(stored, 1, 2)["value"]


def test_groups_stand_together(study):
    (stored,) = study.report.content["rater_pairs"]
    place = {rater: at for at, rater in enumerate(stored["raters"])}
    assert abs(place[1] - place[3]) == 1
    assert abs(place[2] - place[4]) == 1


def test_too_few_texts_are_no_number(study):
    (stored,) = study.report.content["rater_pairs"]
    few = pair(stored, 1, 5)
    assert (few["value"], few["items"]) == (None, FEWEST - 1)
    assert "say nothing" in few["undefined"]


def test_the_page_names_nobody_and_leads_to_the_texts_that_differ(study, client):
    page = client.get(reverse("study_raters", args=[study.slug])).content.decode()
    assert "raters 1 and 2" in page
    for name in (*VALUES, "viktor"):
        assert name not in page
    assert "criterion=fluency&amp;a=1&amp;b=2" in page
    asked = {"criterion": "fluency", "a": "1", "b": "3"}
    html = client.get(reverse("study_rater_pair", args=[study.slug]), asked).content.decode()
    assert html.index("You should see 8 in manner 1.") < html.index("You should see 1 in manner 1.")
    assert "in 7 they gave the same judgement" in html
    told = client.get(reverse("api:rater-pair", args=[study.slug]), {**asked, "page_size": 1}).json()
    assert told["count"] == 8
    assert told["results"][0] == {
        "source": "gotta see number 8 , u know", "text": "You should see 8 in manner 1.", "values": [2.0, 3.0],
    }  # fmt: skip


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({"criterion": "odd", "a": "1", "b": "2"}, "Nobody judged"),
        ({"criterion": "fluency", "a": "9", "b": "2"}, "There is no rater"),
        ({"criterion": "fluency", "a": "1", "b": "-2"}, "There is no rater"),
        ({"a": "1"}, "Nobody judged"),
    ],
)
def test_what_is_not_there_is_one_sentence(study, client, asked, sentence):
    page = client.get(reverse("study_rater_pair", args=[study.slug]), asked)
    assert page.status_code == 422
    assert sentence in page.content.decode()


def test_a_report_without_judgements_has_no_map():
    made = campaigns.study(items=2, systems=1)
    make_report(study=made)
    client = Client()
    client.force_login(campaigns.person(Role.RESEARCHER, made))
    assert (
        "No criterion has judgements of two raters"
        in client.get(reverse("study_raters", args=[made.slug])).content.decode()
    )
