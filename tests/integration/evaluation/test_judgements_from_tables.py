"""Judgements from any table: what is planned and asked, and that what went out comes in with equal figures."""

import io

import pytest
from django.core.management import call_command
from django.urls import reverse
from support import campaigns
from support.amazon import STUDY_FILE, at, declared, needs_amazon
from support.clients import as_person
from support.study_files import beginning

from accounts.permissions import Role
from annotation.actions.add_scale import add_scale
from annotation.actions.export_answers import export_answers
from annotation.actions.set_campaign_state import set_campaign_state
from annotation.models import Answer, Assignment, Item
from corpora.formats import TextFile
from corpora.models import Output, Study, System
from corpora.table_parser import understand
from evaluation.actions.bring_in_judgements import bring_in_judgements
from evaluation.actions.open_human_study import open_human_study
from evaluation.actions.plan_human_study import plan_human_study
from evaluation.imported_judgements.judgement_plan import guess_meanings, plan_import
from evaluation.models import Judgement, RatingsImport
from evaluation.snapshot_builder.build import snapshot_of
from foundation.errors import UserError

pytestmark = pytest.mark.django_db
CRITERIA = {"formality": {"scale": "formality_7"}, "fluency": {"scale": "fluency_5"}}
SOURCE = "gotta see number {n} , u know"
OUTPUT = "You should see {n} in manner {m}."


@pytest.fixture
def study():
    return campaigns.study(items=4, systems=2)


def table_of(text, name="ratings.csv"):
    return understand(TextFile(text if isinstance(text, bytes) else text.encode(), name))


def plan_of(study, text, answers=None, mapping=None, **settings):
    with table_of(text) as table:
        mapping = mapping or guess_meanings(study, table, settings)
        return plan_import(study, table, mapping, settings, answers or {})


def brought(study, text, answers=None, name="ratings.csv", **settings):
    with table_of(text, name) as table:
        mapping = guess_meanings(study, table, settings)
        return bring_in_judgements(study=study, table=table, mapping=mapping, settings=settings, answers=answers or {})


def wide(*rows):
    head = "rater,source,output,fluency,seconds\n"
    return head + "\n".join(
        f'{rater},"{SOURCE.format(n=n)}",{OUTPUT.format(n=n, m=m)},{value},4' for rater, n, m, value in rows
    )


def questions(plan):
    return {question.name: question for question in plan.questions}


def test_a_new_criterion_is_asked_for_its_scale_and_comes_in(study):
    text = wide(("ada", 1, 1, 5), ("ada", 1, 2, 3), ("bob", 1, 1, 4))
    plan = plan_of(study, text)
    assert dict(plan.numbers) == {
        "Rows read": 3, "Judgements in the rows": 3, "New judgements": 0, "People": 0, "Sources judged": 0,
        "Texts judged": 0,
    }  # fmt: skip
    assert [one.name for one in plan.open] == ["scale-fluency"]
    assert {"fluency_5", "likert_5", "likert_5, reversed", "leave_out"} <= set(dict(plan.open[0].choices))
    with pytest.raises(UserError, match="Choose what to do: scale-fluency = "):
        brought(study, text)
    assert not RatingsImport.objects.exists()
    made = brought(study, text, {"scale-fluency": "fluency_5, reversed"})
    assert sorted(made.judgements.values_list("worker", "value", "seconds")) == [
        ("ada", 1.0, 4.0), ("ada", 3.0, 4.0), ("bob", 2.0, 4.0),
    ]  # fmt: skip
    assert [(criterion.name, criterion.scale, criterion.aspect) for criterion in study.criteria.all()] == [
        ("fluency", "fluency_5", "fluency")
    ]
    again = plan_of(study, text)
    assert [one.name for one in again.open] == ["people"]
    assert dict(again.numbers)["New judgements"] == 3


def test_a_criterion_of_any_script_is_rated_in_a_new_campaign_and_a_human_study_by_its_name(study, client):
    name = "Verständlichkeit"
    text = wide(("ada", 1, 1, 5)).replace("fluency", name)
    answers = {f"scale-{name}": "likert_5", f"aspect-{name}": "none"}
    with table_of(text) as table:
        mapping = {**guess_meanings(study, table, {}), name: f"rating: {name}"}
        bring_in_judgements(study=study, table=table, mapping=mapping, settings={}, answers=answers)
    client.force_login(campaigns.person(Role.RESEARCHER, study))
    address = reverse("campaign_new", args=[study.slug])
    page = client.get(address)
    rows = page.context["criteria"]
    sent = {field.html_name: field.value() for row in rows for field in row if field.value()}
    sent |= {field.html_name: field.value() for field in rows.management_form} | {"name": "Rate", "task_type": "rate"}
    sent |= {"overlap": "1", "roles": ["crowd_annotator"], "lease_minutes": "60", "seed": "1"}
    said = client.post(address, sent)
    assert said.status_code == 302, said.context["criteria"].errors
    made, rater = study.campaigns.get(), campaigns.person(study=study)
    set_campaign_state(campaign=made, state="open", by=None)
    work = as_person(rater).get(reverse("campaign_work", args=[study.slug, made.slug]))
    assert f'name="rating-0-{name}"' in work.content.decode()
    plan = plan_human_study(
        study=study, name="People", systems=list(study.systems.all()), judgements=1, by=None,
        criteria=[{"name": name, "scale": "likert_5", "beside": "nothing"}],
    )  # fmt: skip
    assert open_human_study(human_study=plan, by=None).state == "open"


def test_values_off_the_scale_and_texts_of_nobody_are_named_by_line(study):
    brought(study, wide(("ada", 1, 1, 5)), {"scale-fluency": "fluency_5"})
    rows = [("ada", 2, 1, 4)] * 30 + [("bob", 2, 1, 9), ("bob", 3, 7, 4), ("bob", 99, 1, 4)]
    asked = questions(plan_of(study, wide(*rows)))
    assert "“9”, line 32" in asked["off-fluency"].sentence
    assert "“You should see 3 in manner 7.”, line 33" in asked["outputs"].sentence
    assert "its source is not in the study (line 34)" in asked["unmatched"].sentence
    answers = {"off-fluency": "leave_out", "unmatched": "leave_out", "outputs": "keep", "people": "same"}
    made = brought(study, wide(*rows), answers)
    assert made.judgements.count() == 2  # ada's last of 30, and bob's of a text of nobody
    made = brought(study, wide(*rows), answers | {"outputs": "leave_out"})
    assert made.judgements.count() == 1
    with pytest.raises(UserError, match="is not an answer to 'outputs'"):
        brought(study, wide(*rows), answers | {"outputs": "perhaps"})


RATERS = "rater,number,system,fluency\n"
SLIDER = "rater,number,system,adequacy\n" + "".join(
    f"{r},{n},RuleBasedSecret,{95 - r}\n" for r in (0, 1) for n in (1, 2)
)
FIVES = "rater,number,system,adequacy\n" + "".join(f"{r},{n},RuleBasedSecret,{5 - r}\n" for r in (0, 1) for n in (1, 2))


def test_ranges_and_dates_are_no_values_and_each_is_shown(study):
    said = ["4-5", "3/4", "2 or 3", "4", "5", "4-Mar", "1 (unsure)", "5 5"]
    text = RATERS + "".join(f"r{n // 4},{1 + n % 4},RuleBasedSecret,{value}\n" for n, value in enumerate(said))
    answers = {"scale-fluency": "fluency_5"}
    asked = questions(plan_of(study, text, answers))
    assert [f"“{value}”" in asked["off-fluency"].sentence for value in said] == [
        True, True, True, False, False, True, False, True,
    ]  # fmt: skip
    assert "“1 (unsure)”, line 8" in asked["words-fluency"].sentence
    made = brought(study, text, answers | {"off-fluency": "leave_out", "words-fluency": "leave_out"})
    assert sorted(made.judgements.values_list("worker", "value")) == [("r0", 4.0), ("r1", 5.0)]
    answers |= {"off-fluency": "leave_out", "words-fluency": "numbers", "people": "others"}
    made = brought(study, text, answers)
    assert sorted(made.judgements.values_list("worker", "value")) == [
        ("r0 (2)", 4.0), ("r1 (2)", 1.0), ("r1 (2)", 5.0),
    ]  # fmt: skip


def test_a_1_to_5_file_is_not_laid_on_a_scale_to_100(study):
    brought(study, SLIDER, {"scale-adequacy": "slider_100", "aspect-adequacy": "meaning"})
    asked = questions(plan_of(study, FIVES))
    assert asked["scale-adequacy"].answer == ""
    assert {"slider_100", "likert_5"} <= set(dict(asked["scale-adequacy"].choices))
    assert "with ratings.csv: 0, 1" in asked["people"].sentence
    answers = {"scale-adequacy": "likert_5", "people": "others", "aspect-adequacy_likert_5": "meaning"}
    brought(study, FIVES, answers)
    judged = Judgement.objects.order_by("pk").values_list("criterion__name", "criterion__scale", "worker", "value")
    assert list(judged)[3:5] == [
        ("adequacy", "slider_100", "1", 94.0), ("adequacy_likert_5", "likert_5", "0 (2)", 5.0),
    ]  # fmt: skip


def test_decimals_come_in_and_missing_values_are_asked_about_however_many(study):
    text = (
        "rater,number,system,adequacy\nr1,1,RuleBasedSecret,99.5\nr1,2,RuleBasedSecret,40.25\n"
        "r1,3,RuleBasedSecret,N/A\nr1,4,RuleBasedSecret,nan\n"
    )
    answers = {"scale-adequacy": "slider_100", "aspect-adequacy": "meaning"}
    asked = questions(plan_of(study, text, answers))
    assert "stands in 2 of 4: “N/A”, line 4; “nan”, line 5." in asked["missing-adequacy"].sentence
    made = brought(study, text, answers | {"missing-adequacy": "leave_out"})
    assert list(made.judgements.order_by("pk").values_list("value", flat=True)) == [99.5, 40.25]


def test_a_name_in_two_forms_of_unicode_is_one_rater_and_one_system(study):
    text = (
        RATERS
        + "Jos\u00e9,1,RuleBasedSecret,4\nJose\u0301,2,RuleBasedSecret\u200b,2\n\ufeffJos\u00e9,3,rulebasedsecret,2\n"
    )
    made = brought(study, text, {"scale-fluency": "fluency_5"})
    assert set(made.judgements.values_list("worker", "system__name")) == {("Jos\u00e9", "RuleBasedSecret")}
    assert made.judgements.count() == 3


def test_times_that_cannot_be_read_are_asked_about_and_dates_only_where_it_matters(study):
    head = "rater,number,system,fluency,started,ended\n"
    rows = [
        ("03/04/2025 10:00", "03/04/2025 10:01"), ("13.04.2025 10:00", "13.04.2025 10:02"), ("soon", "later"),
        ("05/04/2025 23:59", "06/04/2025 00:01"),
    ]  # fmt: skip
    text = head + "".join(f"r1,{n},RuleBasedSecret,4,{a},{b}\n" for n, (a, b) in enumerate(rows, 1))
    answers = {"scale-fluency": "fluency_5"}
    asked = questions(plan_of(study, text, answers))
    assert {name for name, one in asked.items() if not one.answer} == {"times", "dates"}
    assert "(line 4)" in asked["times"].sentence
    made = brought(study, text, answers | {"times": "without", "dates": "day"})
    assert list(made.judgements.order_by("pk").values_list("seconds", flat=True)) == [60.0, 120.0, None, 120.0]


def test_long_times_are_asked_about(study):
    text = "rater,number,system,fluency,time\n" + "".join(f"r1,{n},RuleBasedSecret,4,{4000 + n}\n" for n in (1, 2))
    answers = {"scale-fluency": "fluency_5"}
    assert [one.name for one in plan_of(study, text, answers).open] == ["unit"]
    made = brought(study, text, answers | {"unit": "milliseconds"})
    assert list(made.judgements.order_by("pk").values_list("seconds", flat=True)) == [4.001, 4.002]


def test_sources_numbered_from_0_are_asked_about(study):
    text = "id,annotator,system,fluency\n" + "".join(f"{n},ann,RuleBasedSecret,{n + 1}\n" for n in range(4))
    answers = {"scale-fluency": "fluency_5"}
    assert questions(plan_of(study, text, answers))["numbers"].answer == ""
    made = brought(study, text, answers | {"numbers": "from_0"})
    assert list(made.judgements.order_by("pk").values_list("sentence__number", "value")) == [
        (1, 1.0), (2, 2.0), (3, 3.0), (4, 4.0),
    ]  # fmt: skip


def test_a_row_may_end_before_columns_that_mean_nothing(study):
    text = "rater,number,system,fluency,note,more\nr1,1,RuleBasedSecret,4\nr1,2,RuleBasedSecret,5,so\nr1,3\n"
    plan = plan_of(study, text, {"scale-fluency": "fluency_5"})
    assert [judgement.value for judgement in plan.judgements] == [4, 5]
    assert "(line 4)" in questions(plan)["unusable"].sentence


def test_what_the_ends_of_a_scale_mean_is_asked_where_the_styles_do_not_say_it(study):
    text = "rater,number,system,formality\nr1,1,RuleBasedSecret,-2\nr1,2,RuleBasedSecret,3\n"
    answers = {"scale-formality": "formality_7"}
    assert plan_of(study, text, answers).open == []
    study.styles = ["technical", "plain"]
    study.save()
    study.directions.update(source_style="technical", target_style="plain")
    (question,) = plan_of(study, text, answers).open
    assert question.name == "ends-formality"
    assert dict(question.choices).keys() == {"technical", "plain", "none"}
    brought(study, text, answers | {"ends-formality": "technical"})
    study.refresh_from_db()
    assert study.poles == {"formal": "technical", "informal": "plain"}
    assert plan_of(study, text, {"people": "same"}).open == []


def test_ends_that_the_names_of_the_styles_say_are_proposed(study):
    """The question is shown with its answer, so that nobody has to answer it and anybody may."""
    study.styles = ["expert", "lay"]
    study.save()
    study.directions.update(source_style="expert", target_style="lay")
    own = add_scale(study=study, line="clarity | ordinal | 1 Plain | 2 Between | 3 Technical | plain > technical").line
    text = "number,system,rater,simplicity\n1,RuleBasedSecret,ann,3\n"
    answers = {"scale-simplicity": own}
    plan = plan_of(study, text, answers)
    (question,) = [one for one in plan.questions if one.name == "ends-simplicity"]
    assert (question.answer, plan.poles) == ("expert", {"technical": "expert", "plain": "lay"})
    assert plan_of(study, text, answers | {"ends-simplicity": "none"}).poles == {}


def test_one_persons_table_and_a_column_a_rater(study):
    made = brought(study, "number,system,fluency\n1,RuleBasedSecret,4\n", {"scale-fluency": "fluency_5"}, rater="ann")
    assert list(made.judgements.values_list("worker", "value")) == [("ann", 4.0)]
    made = brought(study, "number,system,fluency\n1,RuleBasedSecret,4\n", name="bob.v2.csv", raters="part")
    assert list(made.judgements.values_list("worker", "value")) == [("bob", 4.0)]
    text = "number,system,one,two\n1,RuleBasedSecret,4,5\n"
    mapping = {"number": "number", "system": "system", "one": "rating: fluency by cy", "two": "rating: fluency by di"}
    plan = plan_of(study, text, mapping=mapping)
    assert [(judgement.worker, judgement.value) for judgement in plan.judgements] == [("cy", 4.0), ("di", 5.0)]


def test_systems_and_numbers_stand_for_texts_and_labels_for_values(study):
    text = (
        "worker;id;system;criterion;rating\n"
        "ada;1;RuleBasedSecret;formality;Somewhat Formal\n"
        "ada;informal-formal-2;neuralsecret;formality;Very Informal\n"
        "ada;3;Nobody;formality;Neutral\n"
    )
    answers = {"scale-formality": "formality_7", "unmatched": "leave_out"}
    assert "the study has no system “Nobody” (line 4)" in questions(plan_of(study, text, answers))["unmatched"].sentence
    made = brought(study, text, answers)
    assert sorted(made.judgements.values_list("sentence__number", "text_key", "value")) == [
        (1, "You should see 1 in manner 1.", 1.0), (2, "You should see 2 in manner 2.", -3.0),
    ]  # fmt: skip


def test_potatos_ids_name_source_and_system(study):
    text = "user\tinstance_id\tfluency:::scale_4\nada\t1_RuleBasedSecret\t4\n"
    made = brought(study, text, {"scale-fluency": "fluency_5"}, name="annotated_instances.tsv")
    assert made.judgements.get().text_key == "You should see 1 in manner 1."
    assert made.format == "potato"


def test_potatos_ids_from_0_are_asked_about_and_other_ids_stand_behind_their_texts(study):
    answers = {"scale-fluency": "fluency_5"}
    text = "user\tinstance_id\tsystem\tfluency:::scale_4\nada\t0\tRuleBasedSecret\t4\nada\t1\tRuleBasedSecret\t4\n"
    assert questions(plan_of(study, text, answers))["numbers"].answer == ""
    made = brought(study, text, answers | {"numbers": "from_0"}, name="annotated_instances.tsv")
    assert sorted(made.judgements.values_list("sentence__number", flat=True)) == [1, 2]
    text = "user,instance_id,displayed_text,fluency:::scale_4\nada,3,You should see 2 in manner 1.,4\n"
    plan = plan_of(study, text, answers)
    assert [(one.source, one.output) for one in plan.judgements] == [
        (SOURCE.format(n=2), OUTPUT.format(n=2, m=1)),
    ]  # fmt: skip
    assert "does not fit its text" in " ".join(map(str, plan.notes))


def test_ranks_have_no_scale_and_say_so(study):
    text = "rater,id,system,criterion,value\nada,1,RuleBasedSecret,rank,1\n"
    (question,) = plan_of(study, text).open
    assert "rank orders texts and has no scale" in question.sentence


def rate(study, raters=3):
    """Everybody rates all outputs; the value depends on rater, system and item."""
    campaign = campaigns.campaign(study, "rate", overlap=raters, settings={"criteria": CRITERIA})
    for shift in range(raters):
        ada = campaigns.person(study=study)
        for _ in range(4):
            work = campaigns.held(campaign, ada)
            item, order = (
                Item.objects.get(campaign=campaign, number=work.number),
                Assignment.objects.get(pk=work.assignment).order,
            )
            ratings = [
                {"formality": (item.number + shift + int(place)) % 7 - 3, "fluency": 1 + (shift + place) % 5}
                for place in order
            ]
            campaigns.hand_in(campaign, ada, work, content={"ratings": ratings}, seconds=6.0)


@pytest.mark.parametrize("form", ["long", "parquet"])
def test_what_went_out_comes_in_again_with_equal_figures(study, form):
    rate(study)
    Answer.objects.filter(pk=Answer.objects.first().pk).update(late=True)  # so that one does not count
    _asked, chunks = export_answers(study=study, options={"format": form})
    name = "answers.csv" if form == "long" else "answers.parquet"
    other = campaigns.study(items=4, systems=2)
    made = brought(other, b"".join(chunks), {"rejected": "leave_out"}, name=name)
    assert made.format == "restyle"
    assert made.judgements.count() == 11 * 2 * 2
    here, there = snapshot_of(study), snapshot_of(other)
    for criterion in CRITERIA:
        for variant in here.judgements:
            mine, theirs = here.judgements[variant][criterion], there.judgements[variant][criterion]
            assert told(mine) == told(theirs)
            assert (mine.scale, mine.aspect, mine.lowest, mine.highest) == (
                theirs.scale, theirs.aspect, theirs.lowest, theirs.highest,
            )  # fmt: skip


def told(judged):
    """The judgements without the names of the raters, who have other pseudonyms on the way out."""
    cells = zip(judged.unit.tolist(), judged.system.tolist(), judged.value.tolist(), strict=True)
    raters = {}
    for cell, rater in zip(cells, judged.rater.tolist(), strict=True):
        raters.setdefault(rater, []).append(cell)
    return sorted(sorted(one) for one in raters.values())


def test_a_table_of_many_is_matched_in_a_handful_of_queries(study, django_assert_max_num_queries):
    rows = [(f"rater {n}", 1 + n % 4, 1 + n % 2, 1 + n % 5) for n in range(400)]
    with django_assert_max_num_queries(12):
        assert len(plan_of(study, wide(*rows), {"scale-fluency": "fluency_5"}).judgements) == 400
    assert not Judgement.objects.exists()
    assert System.objects.count() * 4 == Output.objects.count()


def test_a_study_file_maps_columns_and_applied_again_changes_nothing(tmp_path):
    (tmp_path / "sources.txt").write_text("yo\nbye\n")
    (tmp_path / "rules.txt").write_text("Hello.\nGoodbye.\n")
    (tmp_path / "ratings.csv").write_text("who;id;Fluent?;ms\nada;1;5;4000\nada;2;1;2000\n")
    (tmp_path / "study.toml").write_text(
        beginning("sources.txt")
        + """
[[systems]]
name = "Rules"
outputs = [{ direction = "informal-formal", file = "rules.txt" }]

[[ratings]]
file = "ratings.csv"
settings = { system = "Rules" }
answers = { scale-fluency = "fluency_5, reversed" }

[ratings.mapping]
who = "rater"
id = "number"
"Fluent?" = "rating: fluency"
ms = "seconds"

[ratings.criteria]
fluency = { scale = "fluency_5" }
"""
    )
    for _ in range(2):
        call_command("apply_study", str(tmp_path / "study.toml"), stdout=io.StringIO())
        found = Judgement.objects.order_by("pk").values_list("worker", "text_key", "value", "seconds")
        assert list(found) == [("ada", "Hello.", 1.0, 4.0), ("ada", "Goodbye.", 5.0, 2.0)]
    assert RatingsImport.objects.get().file_name == "ratings.csv"


@needs_amazon
def test_the_real_batch_is_read_the_same_by_its_columns():
    declaration = declared()
    call_command("apply_study", str(STUDY_FILE), stdout=io.StringIO())
    study = Study.objects.get(slug=declaration["study"]["slug"])
    before = judged(study.ratings_imports.get())
    (block,) = declaration["ratings"]
    with understand(TextFile(at(block["file"]), "ratings-amazon.csv")) as table:
        mapping = guess_meanings(study, table, {})
        assert mapping["Answer.responses"] == "answers"
        assert mapping["Input.target"] == "direction"
        plan = plan_import(study, table, mapping, {}, {})
        answers = {
            question.name: {"outputs": "keep", "repeated": "last", "people": "same"}.get(question.name, question.answer)
            for question in plan.questions
        }
        assert all(answers.values())
        made = bring_in_judgements(study=study, table=table, mapping=mapping, answers=answers)
    assert judged(made) == before


def judged(made):
    """The judgements; texts without their capitals, which the wizard takes from the study where they differ alone."""
    fields = ["sentence", "criterion", "text_key", "worker", "value", "seconds"]
    rows = Judgement.objects.filter(ratings_import=made).order_by("pk").values_list(*fields)
    return [(*row[:2], row[2].casefold(), *row[3:]) for row in rows]
