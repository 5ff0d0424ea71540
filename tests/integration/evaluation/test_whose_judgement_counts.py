"""Whose judgement counts for which system, and with what weight."""

from pathlib import Path

import numpy as np
import pytest
from django.core.management import call_command
from django.urls import reverse
from support import campaigns
from support.clients import as_person

from accounts.permissions import Role
from annotation.actions.review_answer import review_answer
from annotation.models import Answer
from corpora.formats import TextFile
from corpora.models import Output, Sentence, Study
from corpora.table_parser import understand
from evaluation.actions.bring_in_judgements import bring_in_judgements
from evaluation.actions.choose_report import choose_report
from evaluation.actions.close_human_study import close_human_study
from evaluation.actions.make_report import make_report
from evaluation.actions.open_human_study import open_human_study
from evaluation.actions.plan_human_study import plan_human_study
from evaluation.drilldown import rows_behind
from evaluation.human_studies.preregistration import protocol_deviations, summary_of
from evaluation.human_studies.preview import preview
from evaluation.imported_judgements.judgement_plan import guess_meanings, plan_import
from evaluation.models import Judgement
from evaluation.reporting.build import systems as rows_of
from evaluation.snapshot_builder.build import build_snapshot, read_study
from evaluation.system_comparison import compare_systems
from study_file.study_archive import written_table

pytestmark = pytest.mark.django_db
CAPITALS = Path(__file__).parents[4] / "shared" / "cases" / "capitals"
SOURCE = "gotta see number {n} , u know"
FLUENCY = {"scale-fluency": "fluency_5"}


@pytest.fixture
def study():
    return campaigns.study(items=4, systems=2)


def means(study, criterion):
    """The mean of each system on a criterion, as the report has it."""
    rows = rows_of(build_snapshot(study, read_study(study, apart=False), {}))
    return {row["name"]: row["human"][criterion]["mean"] for row in rows}


def write(study, system, sentence, text):
    Output.objects.filter(system__study=study, system__name=system, sentence__number=sentence).update(text=text)


def judged(study, rows, answers=FLUENCY):
    text = "rater,source,output,system,fluency\n"
    text += "\n".join(
        f'{rater},"{SOURCE.format(n=n)}","{out}",{system},{value}' for rater, n, out, system, value in rows
    )
    with understand(TextFile(text.encode(), "ratings.csv")) as table:
        mapping = guess_meanings(study, table, {}) | {"system": "system"}
        plan = plan_import(study, table, mapping, {}, answers)
        if not plan.open:
            bring_in_judgements(study=study, table=table, mapping=mapping, settings={}, answers=answers)
    return plan


@pytest.mark.skipif(not CAPITALS.exists(), reason="shared/cases is not here")
def test_a_lower_cased_system_and_a_capitalised_one_are_two():
    call_command("apply_study", str(CAPITALS / "study.toml"))
    assert means(Study.objects.get(slug="case-two"), "formality") == {"Lower": -2, "Capital": 2}


def test_texts_that_differ_in_capitals_alone_are_judged_apart(study):
    first, second = study.systems.all()
    write(study, first.name, 1, "see it now.")
    write(study, second.name, 1, "See it now.")
    judged(study, [("ada", 1, "see it now.", "", 1), ("ada", 1, "See it now.", "", 5)])
    assert means(study, "fluency") == {first.name: 1, second.name: 5}


def test_judgements_from_before_capitals_counted_find_the_text_that_they_were_of(study):
    first, second = study.systems.all()
    write(study, first.name, 1, "See it now.")
    judged(study, [("ada", 1, "See it now.", "", 4)])
    Judgement.objects.update(text_key="see it now.")
    assert means(study, "fluency") == {first.name: 4, second.name: None}


def test_a_text_of_two_systems_keeps_what_each_was_given(study):
    first, second = study.systems.all()
    for system in (first, second):
        write(study, system.name, 1, "See it now.")
    judged(study, [("ada", 1, "See it now.", first.name, 2), ("ada", 1, "See it now.", second.name, 4)])
    assert Judgement.objects.count() == 2
    assert means(study, "fluency") == {first.name: 2, second.name: 4}


def test_a_judgement_that_names_no_system_counts_for_each_that_wrote_the_text(study):
    first, second = study.systems.all()
    for system in (first, second):
        write(study, system.name, 1, "See it now.")
    judged(study, [("ada", 1, "See it now.", "", 2)])
    assert means(study, "fluency") == {first.name: 2, second.name: 2}


def test_a_text_that_its_named_system_did_not_write_is_judged_as_a_text_and_told(study):
    first, second = study.systems.all()
    write(study, second.name, 1, "See it now.")
    plan = judged(study, [("ada", 1, "See it now.", first.name, 2)])
    assert dict(plan.numbers)["Judgements of a text that the named system did not write"] == 1
    assert means(study, "fluency") == {first.name: None, second.name: 2}


def test_a_sentence_counts_once_however_many_judged_it(study):
    first, _second = study.systems.all()
    write(study, first.name, 1, "One.")
    write(study, first.name, 2, "Two.")
    rows = [(f"rater {n}", 1, "One.", first.name, 1) for n in range(9)] + [("rater 1", 2, "Two.", first.name, 5)]
    judged(study, rows)
    assert means(study, "fluency")[first.name] == 3


def test_a_second_judgement_of_the_same_is_asked_about_where_it_says_something_else(study):
    first, _second = study.systems.all()
    write(study, first.name, 1, "One.")
    rows = [("ada", 1, "One.", "", 1), ("ada", 1, "One.", "", 5), ("bob", 1, "One.", "", 3), ("bob", 1, "One.", "", 3)]
    plan = judged(study, rows)
    assert [question.name for question in plan.open] == ["repeated"]
    assert "1: fluency (line 3)" in plan.open[0].sentence
    assert not Judgement.objects.exists()
    judged(study, rows, FLUENCY | {"repeated": "last"})
    assert sorted(Judgement.objects.values_list("worker", "value")) == [("ada", 5), ("bob", 3)]


SAME = SOURCE.format(n=1)
NUMBERED = "rater,number,source,output,system,fluency\n"


def judged_by_number(study, rows):
    text = NUMBERED + "\n".join(f'{rater},{n},"{SAME}",{out},{system},{value}' for rater, n, out, system, value in rows)
    with understand(TextFile(text.encode(), "ratings.csv")) as table:
        mapping = {name: name for name in ("rater", "number", "source", "output", "system")}
        mapping["fluency"] = "rating: fluency"
        bring_in_judgements(study=study, table=table, mapping=mapping, settings={}, answers=FLUENCY)


@pytest.fixture
def doubled(study):
    """The third source is the first one again; the first system writes one text for both, the second one two."""
    study.directions.get().sentences.filter(number=3).update(text=SAME)
    first, second = study.systems.all()
    for system, number, text in ((first, 1, "One."), (first, 3, "One."), (second, 1, "Two."), (second, 3, "Three.")):
        write(study, system.name, number, text)
    return study, first.name, second.name


def test_of_a_source_that_stands_twice_each_has_the_judgements_that_name_its_number(doubled):
    study, first, second = doubled
    rows = [("ada", 1, "One.", first, 1), ("ada", 3, "One.", first, 5), ("bob", 3, "One.", first, 5),
            ("ada", 1, "Two.", second, 2), ("ada", 3, "Three.", second, 2)]  # fmt: skip
    judged_by_number(study, rows)
    assert Judgement.objects.count() == 5
    assert means(study, "fluency") == {first: 3, second: 2}
    choose_report(study=study, averaging="judgement")
    assert means(study, "fluency")[first] == pytest.approx(11 / 3)


def test_a_number_counts_where_its_system_is_not_named_or_the_first_was_not_judged(doubled):
    study, first, second = doubled
    judged_by_number(study, [("ada", 3, "One.", "", 4), ("ada", 3, "", second, 2)])
    assert Judgement.objects.filter(sentence__number=3).count() == 2
    assert means(study, "fluency") == {first: 4, second: 2}


@pytest.mark.parametrize("value", [1, 5])
def test_a_second_judgement_of_a_doubled_source_without_its_number_is_asked_about(doubled, value):
    study, first, _second = doubled
    plan = judged(study, [("ada", 1, "One.", first, 1), ("ada", 1, "One.", first, value)])
    assert [question.name for question in plan.open] == ["repeated"]
    assert "the source's number" in plan.open[0].sentence


def test_raters_of_differing_severity_widen_the_interval(study):
    first, _second = study.systems.all()
    rows = []
    for n in range(1, 5):
        write(study, first.name, n, f"Text {n}.")
        rows += [(rater, n, f"Text {n}.", first.name, value) for rater, value in (("ada", 1), ("bob", 3), ("eve", 5))]
    judged(study, rows)
    snapshot = build_snapshot(study, read_study(study, apart=False), {})
    mean = next(row["human"]["fluency"] for row in rows_of(snapshot) if row["name"] == first.name)
    assert mean["mean"] == 3
    assert mean["high"] - mean["low"] > 2  # over sources alone it had no width
    assert np.isfinite([mean["low"], mean["high"]]).all()


def test_a_reviewers_correction_is_gold_and_no_opinion_of_the_rater(study):
    """Two raters who disagree stay so in means and agreement, though a reviewer made their answers equal."""
    settings = {"criteria": {"fluency": {"scale": "fluency_5"}}}
    campaign = campaigns.campaign(study, "rate", settings=settings, overlap=2)
    reviewer = campaigns.person(Role.REVIEWER, study)
    for value in (1, 5):
        rater = campaigns.person(study=study)
        work = campaigns.held(campaign, rater)
        made = campaigns.hand_in(campaign, rater, work, content={"ratings": [{"fluency": value}] * 2})
        review_answer(
            answer=Answer.objects.get(pk=made.answer), verdict="fixed", by=reviewer,
            content={"ratings": [{"fluency": 1}] * 2},
        )  # fmt: skip
    assert set(means(study, "fluency").values()) == {3}


def test_a_mean_by_judgement_counts_each_once_and_says_so_everywhere(study):
    """A sentence judged nine times as 1, another once as 5: by judgement 1.4 where by sentence it is 3."""
    first, second = study.systems.all()
    rows = []
    for system, n, value, times in ((first, 1, 1, 9), (first, 2, 5, 1), (second, 1, 1, 1), (second, 2, 1, 1)):
        write(study, system.name, n, f"{system.name} {n}.")
        rows += [(f"rater {rater}", n, f"{system.name} {n}.", system.name, value) for rater in range(times)]
    judged(study, rows)
    choose_report(study=study, averaging="judgement")
    assert means(study, "fluency") == {first.name: pytest.approx(1.4), second.name: 1}
    report = make_report(study=study)
    board = report.content["leaderboard"]["criteria"]["fluency"]
    assert report.content["leaderboard"]["averaging"] == "judgement"
    assert board["rows"][0]["ranked"] == board["rows"][0]["value"] == pytest.approx(1.4)
    for name in ("leaderboard", "systems", "variants"):
        assert any("each judgement once" in note for note in report.tables_and_figures[name]["made"]["notes"]), name
    behind = rows_behind(study, {"system": first.name, "criterion": "fluency"})
    assert behind.value == pytest.approx(1.4)
    compared = compare_systems(study, first.name, second.name)
    measure = next(measure for measure in compared.measures if measure.key == "criterion:fluency")
    assert measure.numbers == (pytest.approx(1.4), 1)


@pytest.fixture
def twice_there(study):
    """The last source is the first one again, and so is what the first system wrote for it."""
    Sentence.objects.filter(direction__study=study, number=4).update(text=SOURCE.format(n=1))
    for n in (1, 4):
        write(study, campaigns.SYSTEMS[0], n, "You should see it.")
    write(study, campaigns.SYSTEMS[1], 1, "It should be seen.")
    write(study, campaigns.SYSTEMS[1], 4, "Have a look at it.")
    return study


@pytest.mark.parametrize("same", [False, True])
def test_a_source_that_stands_twice_is_judged_twice_and_counts_twice(twice_there, same):
    """Each segment has its own judgement, though everything that is judged there be the same."""
    if same:
        write(twice_there, campaigns.SYSTEMS[1], 4, "It should be seen.")
    lead, rater = campaigns.person(Role.RESEARCHER, twice_there), campaigns.person(study=twice_there)
    criteria = [{"name": "fluency", "scale": "fluency_5"}]
    plan = plan_human_study(study=twice_there, by=lead, name="Fluency", criteria=criteria, judgements=1)
    opened = open_human_study(human_study=plan, by=lead)
    (campaign,) = opened.campaigns.all()
    assert campaign.items.count() == 4
    while (work := campaigns.claim(campaign, rater).work) is not None:
        number = campaign.items.get(number=work.number).sentence.number
        ratings = [{"fluency": 5 if number == 4 else 1} for _ in work.content["candidates"]]
        campaigns.hand_in(campaign, rater, work, content={"ratings": ratings})
    close_human_study(human_study=opened, by=lead)
    assert means(twice_there, "fluency") == dict.fromkeys(campaigns.SYSTEMS[:2], 2)
    for name in campaigns.SYSTEMS[:2]:
        assert len(rows_behind(twice_there, {"system": name, "criterion": "fluency"}).rows) == 4


def ranked(study, placed):
    """A closed human study with a ranking: `placed(sentence number, text)` is a text's place."""
    lead, rater = campaigns.person(Role.RESEARCHER, study), campaigns.person(study=study)
    comparison = {"baseline": campaigns.SYSTEMS[0], "criterion": "rank"}
    plan = plan_human_study(study=study, by=lead, name="Rank", ranks=True, judgements=1, comparison=comparison)
    planned = preview(plan, list(plan.systems.all())).cost.answers
    opened = open_human_study(human_study=plan, by=lead)
    (campaign,) = opened.campaigns.all()
    assert campaign.items.count() == planned == opened.frozen["rules"]["planned"]["answers"]
    while (work := campaigns.claim(campaign, rater).work) is not None:
        number = campaign.items.get(number=work.number).sentence.number
        ranks = [placed(number, work.content["candidates"][place]) for place in work.order]
        campaigns.hand_in(campaign, rater, work, content={"ranks": ranks})
    return close_human_study(human_study=opened, by=lead)


@pytest.mark.parametrize(("same", "pages"), [(True, 3), (False, 4)])
def test_a_source_that_stands_twice_is_ranked_once_on_the_pages_and_in_both_means(twice_there, same, pages):
    """Where its texts differ both are shown, and the first place counts: in the leaderboard and the main comparison."""
    first, second = campaigns.SYSTEMS[:2]
    if same:
        write(twice_there, second, 4, "It should be seen.")
    closed = ranked(twice_there, lambda number, text: 2 if (text == "You should see it.") is (number == 1) else 1)
    assert closed.campaigns.get().items.count() == pages
    (compared,) = summary_of(closed)["compared"]
    report = means(twice_there, "rank")
    assert (compared["mean"], compared["baseline"], compared["n"]) == (report[second], report[first], 3)
    assert (report[first], report[second]) == (pytest.approx(4 / 3), 1)
    assert protocol_deviations(closed) == []


def test_a_judgement_without_a_number_is_of_the_place_where_its_text_was_written(twice_there):
    """It was asked about as of a text that no system had written, and no judgement of the system that it named."""
    second = campaigns.SYSTEMS[1]
    plan = judged(
        twice_there, [("ada", 1, "Have a look at it.", second, 4), ("ben", 1, "It should be seen.", second, 2)]
    )
    assert [question.name for question in plan.open] == []
    stored = Judgement.objects.order_by("worker").values_list("worker", "sentence__number", "system__name")
    assert list(stored) == [("ada", 4, second), ("ben", 1, second)]
    assert means(twice_there, "fluency")[second] == 3


def test_a_text_that_somebody_rates_again_in_a_later_campaign_counts_once_and_the_report_says_so(study):
    who, settings = campaigns.person(study=study), {"criteria": [{"name": "fluency", "scale": "fluency_5"}]}
    for value in (5, 1):
        campaign = campaigns.campaign(study, "rate", name=f"All {value}", settings=settings)
        while work := campaigns.claim(campaign, who).work:
            content = {"ratings": [{"fluency": value} for _ in work.order]}
            campaigns.hand_in(campaign, who, work, content=content, seconds=5.0)
    report = make_report(study=study)
    assert {row["human"]["fluency"]["mean"] for row in report.content["systems"]} == {1}
    assert report.content["replaced"] == {"fluency": 8}
    page = as_person(campaigns.person(Role.RESEARCHER, study)).get(reverse("study_report", args=[study.slug]))
    assert "8 judgements do not count, since the same person judged" in page.content.decode()
    exported = b"".join(written_table(study, "judgements", "csv")).decode().splitlines()
    assert [row.split(",")[-3] for row in exported[1:]] == ["1"] * 8
