"""What counts in a report, when it is out of date, and what is not worked out again."""

from uuid import uuid4

import pytest
from django.utils import timezone
from support import campaigns

from annotation.campaigns.criteria import keep_criteria
from annotation.models import Answer, CampaignMembership, Review
from corpora.actions.add_direction import add_direction
from corpora.actions.add_references import add_references
from corpora.actions.add_sources import add_sources
from corpora.actions.add_system import add_system
from corpora.actions.create_study import create_study
from corpora.actions.map_sections import map_sections
from corpora.formats import Judgement as Given
from corpora.models import Output
from evaluation import scoring
from evaluation.actions.choose_metrics import choose_metrics
from evaluation.actions.import_ratings import import_ratings
from evaluation.actions.make_report import make_report
from evaluation.baselines import BASELINES
from evaluation.drilldown import rows_behind
from evaluation.metrics import METRICS
from evaluation.models import MetricScore
from evaluation.report_freshness import report_key
from foundation.errors import UserError
from jobs.models import Job
from modelserving.models import TransferRun

pytestmark = pytest.mark.django_db
SOURCES = ["hey there", "what up", "gotta go", "hey  there "]  # the last is the first one again
GOOD = ["Hello there.", "How are you?", "I have to leave.", "Hello there."]


@pytest.fixture
def study():
    made = create_study(slug="mail", title="Mail", styles=["informal", "formal"])
    direction = add_direction(study=made, source_style="informal", target_style="formal")
    add_sources(direction=direction, texts=SOURCES)
    add_references(direction=direction, texts=GOOD, origin="a file")
    for name, outputs in (("Good", GOOD), ("Copy", SOURCES), ("Twin", [SOURCES[0], "Hi.", "Bye.", None])):
        add_system(study=made, name=name, outputs={direction: outputs}, origin="a file", allows_missing=True)
    keep_criteria(made, [{"name": "formality", "scale": "formality_7", "aspect": "style", "beside": "nothing"}])
    return made


def rate(study, *rows, file="ratings.csv"):
    """(worker, source, output, value) each."""
    given = [
        Given(worker, source, output, "formal", "formality", value, None, 2) for worker, source, output, value in rows
    ]
    return import_ratings(study=study, format="mturk", file_name=file, judgements=given)


def system(report, name):
    return next(one for one in report.content["systems"] if one["name"] == name)


def human(report, name, criterion="formality"):
    return system(report, name)["human"][criterion]


def test_identical_outputs_are_judged_once_and_count_for_every_system(study):
    rate(study, ("w1", "HEY THERE", "Hey there", -3), ("w2", "hey there", "hey there", -1), ("w1", "what up", "Hi.", 2))
    report = make_report(study=study)
    assert (human(report, "Copy")["mean"], human(report, "Copy")["n"]) == (-2, 2), "the doubled source counts once"
    assert (human(report, "Twin")["mean"], human(report, "Twin")["n"]) == (0, 3), "a mean of two sentences"
    assert human(report, "Good") == {
        "mean": None, "low": None, "high": None, "n": 0, "undefined": "There are no judgements."
    }  # fmt: skip


def test_of_a_raters_several_judgements_the_last_counts(study):
    rate(study, ("w1", "what up", "what up", -3), ("w2", "what up", "what up", -3))
    rate(study, ("w1", "what up", "what up", 3), file="later.csv")
    report = make_report(study=study)
    assert (human(report, "Copy")["mean"], human(report, "Copy")["n"]) == (0, 2)
    (agreement,) = [one for one in report.content["agreement"] if one["coefficient"] == "krippendorff_alpha"]
    assert (agreement["raters"], agreement["items"]) == (2, 1)


def test_scores_against_references_leave_the_references_themselves_out(study):
    choose_metrics(study=study, metrics={"bleu": {"lowercase": True}, "self_bleu": {}})
    report = make_report(study=study)
    good = system(report, "Good")["metrics"]
    assert good["bleu"] == {
        "score": None,
        "signature": "",
        "undefined": "Its outputs are the references themselves.",
        "n": 0,
    }
    assert good["self_bleu"]["score"] is not None
    assert system(report, "Twin")["metrics"]["self_bleu"]["n"] == 3


def test_a_score_is_worked_out_again_only_where_it_must_be(study):
    choose_metrics(study=study, metrics={"self_bleu": {}, "pinc": {}})
    make_report(study=study)
    before = dict(MetricScore.objects.values_list("system__name", "made_at").filter(metric="pinc"))
    MetricScore.objects.update(corpus=-1)
    output = Output.objects.get(system__name="Twin", text="Hi.")
    output.text = "Good day."
    output.save()
    choose_metrics(study=study, metrics={"self_bleu": {"lowercase": True}, "pinc": {}})
    make_report(study=study)
    kept = set(MetricScore.objects.filter(corpus=-1).values_list("system__name", "metric"))
    assert kept == {("Good", "pinc"), ("Copy", "pinc")}
    assert set(before) == {"Good", "Copy", "Twin"}


def test_work_that_is_stopped_keeps_what_it_had(study):
    choose_metrics(study=study, metrics={"self_bleu": {}, "pinc": {}})

    class Stop(Exception):
        pass

    def step(done, total, line):
        assert total == (3 + len(BASELINES) + 1) * 2 + 2
        if done == 3:
            raise Stop

    with pytest.raises(Stop):
        make_report(study=study, step=step)
    assert MetricScore.objects.count() == 3
    assert not hasattr(study, "report")


def test_a_settings_error_names_the_key(study):
    with pytest.raises(UserError, match=r"metrics\.bleu\.tokenise: There is no such setting"):
        choose_metrics(study=study, metrics={"bleu": {"tokenise": "none"}})
    assert not study.metric_choices.exists()


def test_every_change_that_matters_makes_the_report_out_of_date(study):
    rater = campaigns.person(study=study)
    seen = {report_key(study)}

    def changed(what):
        key = report_key(study)
        assert key not in seen, what
        seen.add(key)

    made = rate(study, ("w1", "what up", "Hi.", 2))
    changed("judgements came in")
    choose_metrics(study=study, metrics={"pinc": {}})
    changed("a metric was chosen")
    choose_metrics(study=study, metrics={"pinc": {"lowercase": False}})
    changed("a setting was changed")
    campaign = campaigns.campaign(study, "rank", systems=list(study.systems.all()))
    answer = ranked(campaign, rater, [1, 2, 3])
    changed("somebody answered")
    Review.objects.create(answer=answer, verdict="rejected", reviewer=rater)
    changed("an answer was rejected")
    made.delete()
    changed("judgements were removed")
    map_sections(study=study, rows=[("informal", "Hello", "Greeting")])
    changed("a section stands for another element")
    study.systems.get(name="Twin").delete()
    changed("a system is gone")
    assert report_key(study) in seen, "nothing happened since"


def test_outputs_that_a_model_still_adds_make_the_report_out_of_date(study):
    job = Job.objects.create(task="x", queue="gpu", title="x", study_slug="mail", queued_at=timezone.now())
    made = study.systems.create(number=9, name="Model", origin="model x", allows_missing=True)
    TransferRun.objects.create(job=job, study=study, system=made, model="x")
    seen = {report_key(study)}
    for number, sentence in enumerate(study.directions.get().sentences.all(), start=1):
        Output.objects.create(system=made, sentence=sentence, text="Yo.")
        seen.add(report_key(study))
        assert len(seen) == number + 1
    Job.objects.update(state=Job.State.DONE)
    assert report_key(study) not in seen


def test_scores_of_before_their_statistics_were_kept_are_worked_out_again(study, monkeypatch):
    choose_metrics(study=study, metrics={"self_bleu": {}})
    with monkeypatch.context() as before:
        before.setattr(scoring, "CONTRACT", 1)
        make_report(study=study)
    MetricScore.objects.update(packed=b"", width=0)
    make_report(study=study)
    for score in MetricScore.objects.all():
        assert score.sufficient_statistics.shape == (len(score.sentence_ids), 10)
        assert float(METRICS["self_bleu"].corpus_of(score.sufficient_statistics.sum(axis=0))) == pytest.approx(
            score.corpus
        )


def ranked(campaign, person, ranks, number=1, answer=None):
    """The person's order of an item's candidates, or another answer."""
    item = campaign.items.get(number=number)
    places = ranks[: len(item.content["candidates"])]
    CampaignMembership.objects.get_or_create(campaign=campaign, person=person)
    return Answer.objects.create(
        campaign=campaign, item=item, assignment=item.assignments.first(), person=person,
        content=answer or {"ranks": places},
        guideline_version=1, key=uuid4(), submitted_at=timezone.now(),
    )  # fmt: skip


def test_ranks_are_averaged_as_in_the_paper(study):
    """rank(model): the mean over sentences of the mean over judges; tied outputs share the best place."""
    campaign = campaigns.campaign(study, "rank", systems=list(study.systems.all()), overlap=2)
    one, two = campaigns.person(study=study), campaigns.person(study=study)
    second = campaign.items.get(sentence__number=2)
    texts = {GOOD[1]: "Good", SOURCES[1]: "Copy", "Hi.": "Twin"}
    for person, places in ((one, {"Good": 1, "Copy": 3, "Twin": 2}), (two, {"Good": 1, "Copy": 2, "Twin": 3})):
        ranked(campaign, person, [places[texts[text]] for text in second.content["candidates"]], second.number)
    first = campaign.items.get(sentence__number=1)
    order = [1 if text == GOOD[0] else 2 for text in first.content["candidates"]]
    ranked(campaign, one, order, first.number)
    report = make_report(study=study)
    assert {name: human(report, name, "rank")["mean"] for name in ("Good", "Copy", "Twin")} == {
        "Good": 1, "Copy": (2.5 + 2) / 2, "Twin": (2.5 + 2) / 2
    }  # fmt: skip
    assert human(report, "Good", "rank")["n"] == 2


def test_a_ranking_of_fewer_systems_is_apart_and_takes_no_place_of_the_first(client, study):
    """The same rater's places 1 to 2 of two systems are no places 1 to 3 of three, and stand for none of them."""
    every = campaigns.campaign(study, "rank", systems=list(study.systems.all()), name="All")
    rater, second = campaigns.person(study=study), every.items.get(sentence__number=2)
    texts = {GOOD[1]: 1, SOURCES[1]: 3, "Hi.": 2}
    ranked(every, rater, [texts[text] for text in second.content["candidates"]], second.number)
    before = make_report(study=study)
    assert [human(before, name, "rank")["mean"] for name in ("Good", "Copy", "Twin")] == [1, 3, 2]
    Output.objects.filter(system__name="Twin", sentence__number=3).update(text=GOOD[2])  # judged in no second campaign
    two = campaigns.campaign(study, "rank", systems=list(study.systems.exclude(name="Twin")), name="Two")
    for number in (2, 3):
        item = two.items.get(sentence__number=number)
        order = [2 if text == GOOD[number - 1] else 1 for text in item.content["candidates"]]
        ranked(two, rater, order, item.number)
    report = make_report(study=study)
    whole, pair = "rank (Good, Copy, Twin)", "rank (Good, Copy)"
    assert list(report.content["leaderboard"]["criteria"]) == [whole, pair]
    assert [human(report, name, whole)["mean"] for name in ("Good", "Copy", "Twin")] == [1, 3, 2]
    assert [human(report, name, pair)["mean"] for name in ("Good", "Copy", "Twin")] == [2, 1, None]
    assert [human(report, name, pair)["n"] for name in ("Good", "Copy", "Twin")] == [2, 2, 0]
    agreement = {row["criterion"] for row in report.content["agreement"]}
    assert agreement == {whole, pair}
    assert list(report.content["rater_models"]["ranks"]) == [whole, pair]
    notes = report.tables_and_figures["leaderboard"]["made"]["notes"]
    assert any("a place counts only among the systems that it was given with" in note for note in notes)
    behind = rows_behind(study, {"system": "Good", "criterion": whole})
    assert (behind.value, behind.many) == (1, 1)
    client.force_login(campaigns.person(study=study, role="researcher"))
    page = client.get("/studies/mail/report/").content.decode()
    assert "Rank (Good, Copy)" in page


def test_best_worst_choices_of_fewer_systems_are_apart_too(study):
    texts = {GOOD[1]: "Good", SOURCES[1]: "Copy", "Hi.": "Twin"}
    rater, values = campaigns.person(study=study), {}
    for name, systems, best in (
        ("All", study.systems.all(), "Good"), ("Two", study.systems.exclude(name="Good"), "Copy")
    ):  # fmt: skip
        campaign = campaigns.campaign(study, "best_worst", systems=list(systems), name=name)
        item = campaign.items.get(sentence__number=2)
        there = [texts[text] for text in item.content["candidates"]]
        answer = {"best": 1 + there.index(best), "worst": 1 + there.index("Twin")}
        ranked(campaign, rater, [], item.number, answer)
        values[name] = [1 if one == best else -1 if one == "Twin" else 0 for one in ("Good", "Copy", "Twin")]
    report = make_report(study=study)
    for name, criterion in (("All", "best_worst (Good, Copy, Twin)"), ("Two", "best_worst (Copy, Twin)")):
        means = [human(report, one, criterion)["mean"] for one in ("Good", "Copy", "Twin")]
        assert means == (values[name] if name == "All" else [None, *values[name][1:]])


def test_two_campaigns_that_rank_the_same_systems_are_one_ranking(study):
    for name, number in (("First", 2), ("Then", 3)):
        campaign = campaigns.campaign(study, "rank", systems=list(study.systems.all()), name=name)
        item = campaign.items.get(sentence__number=number)
        order = [1 if text == GOOD[number - 1] else 2 for text in item.content["candidates"]]
        ranked(campaign, campaigns.person(study=study), order, item.number)
    report = make_report(study=study)
    assert list(report.content["leaderboard"]["criteria"]) == ["rank"]
    assert (human(report, "Good", "rank")["mean"], human(report, "Good", "rank")["n"]) == (1, 2)


def test_a_judgement_of_a_source_that_the_study_lacks_is_refused_and_nothing_is_stored(study):
    with pytest.raises(UserError, match=r"ratings.csv: The study has no such source in that direction; see lines 2\."):
        rate(study, ("w1", "what up", "Hi.", 2), ("w1", "who knows", "Hi.", 2))
    assert not study.ratings_imports.exists()
