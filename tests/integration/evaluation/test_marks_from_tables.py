"""Marked spans in the files of other programs: in as judgements with their marks, and out again, the same."""

import io
import json

import pytest
from support import campaigns

from annotation.actions.export_answers import export_answers
from annotation.actions.import_gold import import_gold
from annotation.actions.make_release import make_release
from annotation.agreement import Agreement, measure
from annotation.models import Item
from annotation.task_types import TASK_TYPES
from corpora.actions.add_direction import add_direction
from corpora.actions.add_sources import add_sources
from corpora.actions.add_system import add_system
from corpora.actions.create_study import create_study
from corpora.formats import TextFile
from corpora.models import Output, Sentence, Study
from corpora.table_parser import understand
from evaluation.actions.bring_in_judgements import bring_in_judgements
from evaluation.imported_judgements.judgement_plan import guess_meanings, plan_import
from evaluation.marked_outputs import output_marks
from evaluation.models import Judgement
from foundation.errors import UserError
from study_file.actions.apply_study import apply_study
from study_file.actions.export_study import export_study
from study_file.study_archive import opened_archive, written_table

pytestmark = pytest.mark.django_db
SUFFIXES = {"mqm": "mqm.tsv", "esa": "esa.jsonl", "pearmut": "pearmut.jsonl"}
PRESETS = {"mqm": "google_mqm", "esa": "wmt_esa", "pearmut": "pearmut"}


@pytest.fixture
def study():
    """Two texts of a system, marked by Ada: one has an error on each side, the other none."""
    made = campaigns.study(items=2, systems=1)
    campaign = campaigns.campaign(made, "spans", settings={"taxonomy": "mqm"})
    ada = campaigns.person(study=made, name="Ada")
    for turn in range(2):
        work = campaigns.held(campaign, ada)
        content = Item.objects.get(campaign=campaign, number=work.number).content
        place, end = content["source"].index("number"), len(content["candidates"][0])
        marks = [
            {"side": "source", "start": place, "end": place + 6, "kind": "Accuracy/Omission", "severity": "Major",
             "reason": ""},
            {"side": "output", "start": end - 1, "end": end, "kind": "Fluency/Punctuation", "severity": "Minor",
             "reason": ""},
        ]  # fmt: skip
        answer = {"marks": [] if turn else marks, "none": bool(turn), "ratings": [{"score": 60}]}
        campaigns.hand_in(campaign, ada, work, content=answer)
    return made


def copy_of(study):
    """A study of the same texts, without their judgements."""
    made = create_study(slug="copy", title="Copy", styles=study.styles)
    one = study.directions.first()
    direction = add_direction(study=made, source_style=one.source_style, target_style=one.target_style)
    add_sources(direction=direction, texts=list(one.sentences.values_list("text", flat=True)))
    texts = list(Output.objects.filter(system__study=study).order_by("sentence__number").values_list("text", flat=True))
    add_system(study=made, name=campaigns.SYSTEMS[0], outputs={direction: texts}, origin="made")
    return made


def brought_in(study, text, name, **answers):
    with understand(TextFile(text.encode() if isinstance(text, str) else text, name)) as table:
        mapping = guess_meanings(study, table, {})
        plan = plan_import(study, table, mapping, {}, answers)
        bring_in_judgements(study=study, table=table, mapping=mapping, answers=answers)
    return plan


def said(study):
    found = [(one.source, one.output, *one.systems, one.rater, one.marks, one.score) for one in output_marks(study)]
    return sorted(found, key=lambda row: row[0])


@pytest.mark.parametrize("form", SUFFIXES)
def test_the_marks_of_a_campaign_come_back_from_each_form(study, form):
    written = b"".join(export_answers(study=study, options={"format": form})[1])
    other = copy_of(study)
    plan = brought_in(other, written, SUFFIXES[form], **{"scale-score": "slider_100", "aspect-score": "overall"})
    assert plan.preset == PRESETS[form]
    wanted, found = ([[*row[:3], *row[4:]] for row in said(one)] for one in (study, other))
    assert len(wanted) == 2
    if form == "mqm":  # which holds no score
        wanted = [[*row[:-1], None] for row in wanted]
    assert found == wanted
    assert len({row[3] for row in said(other)}) == 1
    values = Judgement.objects.filter(ratings_import__study=other, criterion__name="mqm")
    assert sorted(values.values_list("value", flat=True)) == [-5.1, 0]


def test_marks_leave_as_a_table_and_in_the_archive_of_their_study(study):
    wanted = said(study)
    for form in ("csv", "jsonl"):
        other = copy_of(study)
        brought_in(other, b"".join(written_table(study, "marks", form)), f"marks.{form}", **{
            "scale-score": "slider_100", "aspect-score": "overall",
        })  # fmt: skip
        assert said(other) == wanted
        other.delete()
    archive = b"".join(export_study(study=study))
    slug = study.slug
    Study.objects.filter(pk=study.pk).update(slug="old", title="Old")
    file, opened = opened_archive(io.BytesIO(archive), "all.zip", 10**7)
    apply_study(file=file, opened=opened)
    assert said(Study.objects.get(slug=slug)) == wanted


def test_an_error_that_was_put_in_is_no_judgement_and_an_unknown_severity_is_no_score(study):
    other = copy_of(study)
    source, text = (
        Sentence.objects.filter(direction__study=other).values_list("text", flat=True)[0],
        "You see number 1.",
    )
    text = Output.objects.filter(system__study=other).order_by("sentence__number").first().text
    rows = [("accuracy/mistranslation", "major", f"<v>{text[:3]}</v>{text[3:]}"), ("HOTW-test", "HOTW-test", text),
            ("Other", "huge", text)]  # fmt: skip
    table = "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity\n" + "".join(
        f"{campaigns.SYSTEMS[0]}\td\t1\t1\t{rater}\t{source}\t{target}\t{kind}\t{severity}\n"
        for rater, (kind, severity, target) in zip(("r1", "r1", "r2"), rows, strict=True)
    )
    plan = brought_in(other, table, "mqm.tsv", rejected="leave_out", unusable="leave_out")
    sentences = {question.name: question.sentence for question in plan.questions}
    assert "control" in sentences["rejected"]
    assert "no weight" in sentences["unusable"]
    assert list(Judgement.objects.filter(ratings_import__study=other).values_list("worker", "value")) == [("r1", -5)]
    ours = {
        one.rater: [(mark["kind"], mark["start"], mark["end"]) for mark in one.marks] for one in output_marks(other)
    }
    assert ours == {"r1": [("Accuracy/Mistranslation", 0, 3)], "r2": [("Other", len(text), len(text))]}


def test_the_last_of_two_lists_counts(study):
    other = copy_of(study)
    source = Sentence.objects.filter(direction__study=other).order_by("number").first().text
    text = Output.objects.filter(system__study=other).order_by("sentence__number").first().text
    lines = "".join(
        json.dumps({"doc_id": "d", "src": source, "tgt": text, "esa_score": score, "system": campaigns.SYSTEMS[0],
                    "annotator": "r1", "esa_spans": spans}) + "\n"
        for score, spans in ((40, [{"start_i": 0, "end_i": 900, "severity": "major"}]), (50, []))
    )  # fmt: skip
    brought_in(other, lines, "esa.jsonl", repeated="last", **{"scale-score": "slider_100", "aspect-score": "overall"})
    assert [(one.marks, one.score) for one in output_marks(other)] == [([], 50)]


def test_a_campaign_suggests_the_marks_of_another_but_in_a_drawn_share_of_its_items(study):
    """What is kept back stands in no answer of the API; the report's snapshot has both."""
    first = study.campaigns.get()
    with pytest.raises(UserError, match="No marks are called 'nobody'"):
        campaigns.campaign(study, "spans", name="wrong", settings={"prefill": "nobody"})
    shares = {0: [True, True], 100: [False, False]}
    for share, shown in shares.items():
        settings = {"taxonomy": "esa", "prefill": first.slug, "empty_share": share}
        campaign = campaigns.campaign(study, "spans", name=f"share {share}", settings=settings)
        kept = [item.content for item in Item.objects.filter(campaign=campaign).order_by("number")]
        assert [one["shown"] for one in kept] == shown
        assert [len(one["suggested"]) for one in kept] == [2, 0] or [len(one["suggested"]) for one in kept] == [0, 2]
        assert {mark["kind"] for one in kept for mark in one["suggested"]} == {""}, "ESA asks for no kind"
        presented = [TASK_TYPES["spans"].present(one, campaign.settings, [0], None) for one in kept]
        assert sum(one["suggested"] for one in presented) == (2 if shown[0] else 0)
        assert sum(len(json.loads(one["state"])["marks"]) for one in presented) == (2 if shown[0] else 0)
        emptied = TASK_TYPES["spans"].present(kept[0], campaign.settings, [0], {"marks": []})
        assert json.loads(emptied["state"])["marks"] == [], "who removed them does not get them again"
        ada = campaigns.person(study=study)
        work = campaigns.held(campaign, ada)
        campaigns.hand_in(campaign, ada, work, content={"marks": [], "ratings": [{"score": 50}]})
    assert sorted(one.shown for one in output_marks(study) if one.suggested is not None) == [False, True]
    hidden = kept[0] if kept[0]["suggested"] else kept[1]
    bare = {key: value for key, value in hidden.items() if key not in ("suggested", "shown")}
    present = TASK_TYPES["spans"].present
    assert present(hidden, campaign.settings, [0]) == present(bare, campaign.settings, [0])


def test_the_marks_of_an_imported_rater_are_suggested(study):
    other = copy_of(study)
    row = Output.objects.filter(system__study=other).order_by("sentence__number").first()
    line = {"src": row.sentence.text, "tgt": row.text, "esa_score": "", "system": campaigns.SYSTEMS[0],
            "annotator": "xcomet", "esa_spans": [{"start_i": 0, "end_i": 3, "severity": "minor"}]}  # fmt: skip
    brought_in(other, json.dumps(line) + "\n", "x.jsonl", **{"scale-mqm": "leave_out"})
    campaign = campaigns.campaign(other, "spans", settings={"prefill": "xcomet", "empty_share": 0})
    kept = [item.content.get("suggested") for item in Item.objects.filter(campaign=campaign)]
    assert kept.count(None) == 1, "the model said nothing of the other text"
    assert not Judgement.objects.filter(ratings_import__study=other).exists()


def test_marks_are_gold_that_comes_in_as_it_went_out(study):
    """Both sides of each text, with their places."""
    release = make_release(study=study, settings={"forms": ["jsonl", "csv"]})
    file = release.files.get(name="gold.jsonl")
    written = b"".join(bytes(piece.data) for piece in file.pieces.order_by("number"))
    rows = [json.loads(line) for line in written.splitlines()]
    assert [row["kind"] for row in rows] == ["marks", "marks"]
    assert sorted(len(row["marks"]) for row in rows) == [0, 2]
    marked = max(rows, key=lambda row: len(row["marks"]))
    texts = {"source": marked["source"], "output": marked["text"]}
    assert [texts[mark["side"]][mark["start"] : mark["end"]] for mark in marked["marks"]] == ["number", "."]
    other = create_study(slug="gold", title="Gold", styles=study.styles)
    import_gold(study=other, file=TextFile(written, "gold.jsonl"))
    again = make_release(study=other, settings={"from": "imported", "forms": ["jsonl"]}).files.get(name="gold.jsonl")
    kept = [json.loads(line) for line in b"".join(bytes(one.data) for one in again.pieces.all()).splitlines()]
    assert [(row["source"], row["text"], row["marks"]) for row in kept] == [
        (row["source"], row["text"], row["marks"]) for row in rows
    ]


def test_two_people_agree_on_spans_by_characters_severities_and_gamma():
    made = campaigns.study(items=4, systems=1)
    campaign = campaigns.campaign(made, "spans", overlap=2)
    people = [campaigns.person(study=made) for _ in range(2)]
    for place, who in enumerate(people):
        for turn in range(4):
            marks = [{"side": "output", "start": 4 * turn, "end": 4 * turn + 3 + place, "kind": "", "reason": "",
                      "severity": "Minor" if turn else "Major"}]  # fmt: skip
            answer = {"marks": marks, "ratings": [{"score": 60}]}
            campaigns.hand_in(campaign, who, campaigns.held(campaign, who), content=answer)
    measured = measure(campaign)
    (pair,) = measured.pairs
    assert [name for name, _ in measured.measures] == ["f1", "characters", "severities", "gamma"]
    assert pair.values["characters"].mean == pytest.approx(2 * 12 / (12 + 16))
    assert 0.5 < pair.values["gamma"].mean < 1
    assert Agreement.read(measured.json()) == measured
