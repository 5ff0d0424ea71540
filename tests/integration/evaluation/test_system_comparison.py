"""Two systems compared output by output: like with like, the better end of the direction, and the sentences behind."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from support import campaigns
from support.whole_comparison import chosen_units, measure_of

from accounts.permissions import Role
from annotation.campaigns.criteria import keep_criteria
from corpora.formats import Judgement
from corpora.models import Output, Study
from evaluation.actions.choose_metrics import choose_metrics
from evaluation.actions.import_ratings import import_ratings
from evaluation.actions.make_report import make_report
from evaluation.system_comparison import compare_systems

pytestmark = pytest.mark.django_db
RULES, NEURAL, HUMAN = campaigns.SYSTEMS


def source(n):
    return f"gotta see number {n} , u know"


def output(n, k):
    return f"You should see {n} in manner {k}."


def judge(study, values):
    """`values[k]` of each system's outputs in order, on fluency and formality; None judges nothing."""
    keep_criteria(study, [
        {"name": "fluency", "scale": "likert_5", "aspect": "", "beside": "nothing"},
        {"name": "formality", "scale": "formality_7", "aspect": "style", "beside": "nothing"},
    ])  # fmt: skip
    given = [
        Judgement(rater, source(n), output(n, k), "formal", name, value, None, n)
        for k, of in values.items() for n, value in enumerate(of, 1) if value is not None
        for name in ("fluency", "formality") for rater in ("zoltan", "zelda")
    ]  # fmt: skip
    import_ratings(study=study, format="mturk", file_name="ratings.csv", judgements=given)


@pytest.fixture(scope="module")
def made_once(kept_for_the_file):
    """Six sentences; the first system is better in two, the second in three, both equal in one."""
    made = campaigns.study(items=6, systems=3, references=1)
    judge(made, {1: [3, 3, 1, 1, 1, 2], 2: [1, 2, 2, 3, 3, 2]})
    choose_metrics(study=made, metrics={"edit_distance": {}, "fkgl": {}})
    make_report(study=made)
    return made.pk


@pytest.fixture
def study(made_once):
    return Study.objects.get(pk=made_once)


def counts(study, *names, **asked):
    return {row.measure.label: row.counts for row in compare_systems(study, *names, **asked).summary()}


def test_each_sentence_is_won_by_the_better_end(study):
    assert counts(study, RULES, NEURAL)["Fluency"] == (2, 1, 3)
    assert counts(study, NEURAL, RULES)["Fluency"] == (3, 1, 2)


def test_what_is_better_follows_from_the_direction(study):
    assert counts(study, RULES, NEURAL)["Formality"] == (2, 1, 3)
    study.directions.update(source_style="formal", target_style="informal")
    assert counts(study, RULES, NEURAL)["Formality"] == (3, 1, 2), "informal is now what is wanted"


def test_only_shared_sentences_count_and_the_others_are_told(study):
    Output.objects.filter(system__name=NEURAL, sentence__number__in=[4, 5]).delete()
    comparison = compare_systems(study, RULES, NEURAL)
    assert (int(comparison.shared.sum()), comparison.alone) == (4, (2, 0))
    fluency = measure_of(comparison, "criterion:fluency")
    assert int(fluency.shared.sum()) == 4
    assert fluency.numbers == (pytest.approx(9 / 4), pytest.approx(7 / 4))


def test_a_measure_that_one_of_them_lacks_is_left_out(study):
    comparison = compare_systems(study, RULES, HUMAN)
    assert "Fluency" in comparison.left_out
    assert [measure.key for measure in comparison.measures] == ["metric:edit_distance", "metric:fkgl"]


def test_the_test_is_that_of_the_leaderboard(study):
    """Over the same sentences its p is the report's, before any correction."""
    row = next(row for row in compare_systems(study, NEURAL, RULES).summary() if row.measure.label == "Fluency")
    board = make_report(study=study).content["leaderboard"]["criteria"]["fluency"]["rows"]
    stored = next(one for one in board if one["system"] == NEURAL)
    assert (row.p, row.difference) == (pytest.approx(stored["p"]), pytest.approx(stored["difference"]))


def test_sentences_are_sorted_filtered_and_searched(study):
    comparison = compare_systems(study, RULES, NEURAL)

    def numbers(**asked):
        return [unit + 1 for unit in chosen_units(comparison, asked)]

    assert numbers() == [1, 2, 3, 4, 5, 6]
    assert numbers(by="criterion:fluency") == [1, 2, 6, 3, 4, 5]
    assert numbers(by="criterion:fluency", order="lowest") == [4, 5, 3, 6, 2, 1]
    assert numbers(by="criterion:fluency", of="second") == [4, 5, 2, 3, 6, 1]
    assert numbers(by="criterion:fluency", outcome="first") == [1, 2]
    assert numbers(by="criterion:fluency", outcome="tie") == [6]
    assert numbers(search="NUMBER 4") == [4]
    Output.objects.filter(system__name=NEURAL, sentence__number=2).update(text=output(2, 1))
    comparison = compare_systems(study, RULES, NEURAL)
    assert numbers(differing="on") == [1, 3, 4, 5, 6]


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({"second": RULES}, "Both are the same system"),
        ({"second": "Nobody"}, "There is no system 'Nobody'."),
        ({"split": "odd"}, "Expected one of"),
        ({"direction": "7"}, "There is no such direction."),
        ({"by": "metric:odd"}, "This measure does not compare"),
        ({"outcome": "first"}, "Name a measure"),
        ({"by": "criterion:fluency", "of": "odd"}, "Expected one of"),
    ],
)
def test_what_cannot_be_compared_is_one_sentence(study, asked, sentence):
    client = Client()
    client.force_login(campaigns.person(Role.RESEARCHER, study))
    given = {"first": RULES, "second": NEURAL, **asked}
    page = client.get(reverse("study_compare", args=[study.slug]), given)
    assert page.status_code == 422
    assert sentence in page.content.decode().replace("&#x27;", "'")
    told = client.get(reverse("api:comparison", args=[study.slug]), given)
    assert told.status_code == 400
    assert sentence in told.json()["detail"]


def test_the_page_has_links_to_the_sentences_behind_each_number_and_names_no_rater(study):
    client = Client()
    client.force_login(campaigns.person(Role.REVIEWER, study))
    page, names = reverse("study_compare", args=[study.slug]), {"first": RULES, "second": NEURAL}
    numbers = client.get(page, {**names, "view": "numbers"}).content.decode()
    assert "by=criterion%3Afluency&amp;outcome=second#pairs-h" in numbers
    pairs = client.get(page, {**names, "by": "criterion:fluency", "scores": "on"}).content.decode()
    assert "rater 1: 3" in pairs
    for html in (numbers, pairs):
        assert "zoltan" not in html
        assert "zelda" not in html


def test_the_endpoint_tells_the_same(study):
    client = Client()
    client.force_login(campaigns.person(Role.RESEARCHER, study))
    told = client.get(
        reverse("api:comparison", args=[study.slug]),
        {"first": RULES, "second": NEURAL, "by": "criterion:fluency", "outcome": "second", "page_size": 2},
    ).json()
    assert next(row for row in told["head_to_head"] if row["label"] == "Fluency")["counts"] == [2, 1, 3]
    assert (told["count"], len(told["results"])) == (3, 2)
    assert told["results"][0]["outputs"] == [output(3, 1), output(3, 2)]
    given = next(one for one in told["results"][0]["given"] if one["key"] == "criterion:fluency")
    assert given["judgements"] == [[[1, 1.0], [2, 1.0]], [[1, 2.0], [2, 2.0]]]


def test_without_two_systems_the_page_says_so():
    made = campaigns.study(items=2, systems=1)
    client = Client()
    client.force_login(campaigns.person(Role.RESEARCHER, made))
    assert (
        "The study has fewer than two systems"
        in client.get(reverse("study_compare", args=[made.slug])).content.decode()
    )


def test_more_sentences_are_no_more_queries(study):
    client = Client()
    client.force_login(campaigns.person(Role.RESEARCHER, study))

    def asked(of):
        with CaptureQueriesContext(connection) as queries:
            assert client.get(reverse("study_compare", args=[of.slug])).status_code == 200
        return len(queries)

    asked(study)
    few = asked(study)
    many = campaigns.study(items=40, systems=3, references=2)
    campaigns.Membership.objects.create(study=many, person_id=client.session["_auth_user_id"], role=Role.RESEARCHER)
    choose_metrics(study=many, metrics={"edit_distance": {}, "fkgl": {}})
    make_report(study=many)
    assert asked(many) <= few
