"""What people answered on its way out: all of it, in every form, under pseudonyms, and read back."""

import csv
import io
import json
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse
from django.utils import timezone, translation
from support import campaigns
from support.campaigns import PASSWORD

from accounts.models import AuditEntry
from accounts.permissions import Role
from annotation.actions.export_answers import export_answers
from annotation.actions.skip_item import skip_item
from annotation.models import Answer, Assignment, Item, Review
from annotation.presenters.answers import presented_answer
from annotation.progress.label_counts import label_counts
from annotation.pseudonyms import pseudonyms
from foundation.errors import UserError

pytestmark = pytest.mark.django_db
CRITERIA = {"formality": {"scale": "formality_7"}, "fluency": {"scale": "fluency_5"}}


def taken(study, form="jsonl", campaign=None, **options):
    _asked, chunks = export_answers(study=study, campaign=campaign, options={"format": form, **options})
    return b"".join(chunks)


def lines(study, **options):
    return [json.loads(line) for line in taken(study, **options).splitlines()]


def rows(study, form, **options):
    return list(csv.DictReader(io.StringIO(taken(study, form, **options).decode(), newline="")))


@pytest.fixture
def rated():
    """Two systems rated by two people on two criteria, three items; the value is told by the system's number."""
    study = campaigns.study(items=3, systems=2)
    campaign = campaigns.campaign(study, "rate", overlap=2, settings={"criteria": CRITERIA})
    for shift in (0, 1):
        ada = campaigns.person(study=study, name=f"Ada {shift}")
        for _ in range(3):
            work = campaigns.held(campaign, ada)
            item = Item.objects.get(campaign=campaign, number=work.number)
            assignment = Assignment.objects.get(pk=work.assignment)
            texts = [item.content["candidates"][place] for place in assignment.order]
            content = {"ratings": [{"formality": number(text) - 3, "fluency": 4 + shift} for text in texts]}
            campaigns.hand_in(campaign, ada, work, content=content, seconds=7.5)
    return study


def number(text):
    return int(text.split("manner ")[1].rstrip("."))


def test_a_line_is_an_answer_whole_with_its_outputs_as_they_were_shown(rated):
    found = lines(rated)
    assert len(found) == 6
    for line, answer in zip(found, Answer.objects.order_by("item__number", "assignment__number"), strict=True):
        item = answer.item
        texts = [item.content["candidates"][place] for place in answer.order]
        assert [one["text"] for one in line["outputs"]] == texts
        assert [one["place"] for one in line["outputs"]] == [1, 2]
        for one in line["outputs"]:
            n = number(one["text"])
            assert one["systems"] == [campaigns.SYSTEMS[n - 1]]
            assert one["values"]["formality"] == n - 3
        assert line["item"]["source_id"] == f"informal-formal-{item.number}"
        assert line["item"]["source"] == item.content["source"]
        assert line["annotator"] == pseudonyms(rated)[answer.person_id]
        assert (line["seconds"], line["revision"], line["guideline_version"]) == (7.5, 1, 1)
        assert (line["state"], line["counts"], line["verdict"]) == ("standing", True, None)
        assert line["started_at"] <= line["submitted_at"]
        assert line["item"]["item"] == item.number


def test_nobodys_name_address_or_key_leaves(rated):
    person = Answer.objects.first().person
    for form in ("jsonl", "long", "wide"):
        whole = taken(rated, form).decode()
        for own in (person.email, person.name, str(person.pseudonym), person.pseudonym.hex):
            assert own not in whole
        assert str(person.pseudonym) in taken(rated, form, names="site").decode()


def test_the_long_table_has_a_row_for_each_judgement(rated):
    found = rows(rated, "long")
    assert len(found) == 6 * 2 * 2
    first = found[0]
    assert (first["criterion"], first["scale"], first["place"]) == ("formality", "formality_7", "1")
    for row in found:
        if row["criterion"] == "formality":
            assert float(row["value"]) == number(row["text"]) - 3
            assert row["word"] == {1: "Informal", 2: "Somewhat Informal"}[number(row["text"])]
        assert row["systems"] == campaigns.SYSTEMS[number(row["text"]) - 1]


def test_the_wide_table_has_a_row_for_each_answer(rated):
    found = rows(rated, "wide")
    assert len(found) == 6
    for row in found:
        for place in (1, 2):
            assert int(row[f"formality_{place}"]) == number(row[f"output_{place}"]) - 3
            assert row[f"systems_{place}"] == campaigns.SYSTEMS[number(row[f"output_{place}"]) - 1]


def test_parquet_holds_the_long_table_with_types(rated):
    from pyarrow import parquet

    table = parquet.read_table(io.BytesIO(taken(rated, "parquet"))).to_pylist()
    assert len(table) == 24
    assert {type(row["value"]) for row in table} == {float}
    assert table[0]["systems"] == [campaigns.SYSTEMS[number(table[0]["text"]) - 1]]
    assert table[0]["submitted_at"].tzinfo is not None
    assert [row["value"] for row in table] == [float(row["value"]) for row in rows(rated, "long")]


def test_every_revision_is_there_with_how_it_stands():
    study = campaigns.study(items=4)
    campaign = campaigns.campaign(study)
    ada, reviewer = campaigns.person(study=study), campaigns.person(Role.REVIEWER, study)
    for _ in range(3):
        campaigns.hand_in(campaign, ada, campaigns.held(campaign, ada))
    work = campaigns.held(campaign, ada)
    skip_item(
        study=study, campaign=campaign.slug, person=ada, assignment=work.assignment, lease=work.lease, key=uuid4()
    )
    one, two, three, _skipped = Answer.objects.order_by("item__number")
    Answer.objects.create(
        campaign=campaign, item=one.item, assignment=one.assignment, person=ada, revision=2, content={"text": "Anew."},
        guideline_version=1, key=uuid4(), submitted_at=timezone.now(),
    )  # fmt: skip
    Review.objects.create(answer=two, verdict="rejected", reason="Too short", comment="See 3.", reviewer=reviewer)
    Review.objects.create(answer=three, verdict="fixed", content={"text": "Fixed."}, reviewer=reviewer)
    found = {(line["item"]["item"], line["revision"]): line for line in lines(study)}
    assert {place: line["state"] for place, line in found.items()} == {
        (1, 1): "superseded", (1, 2): "standing", (2, 1): "rejected", (3, 1): "standing", (4, 1): "skipped",
    }  # fmt: skip
    assert [found[2, 1][key] for key in ("verdict", "reason", "comment")] == ["rejected", "Too short", "See 3."]
    assert found[2, 1]["reviewer"] == pseudonyms(study)[reviewer.pk]
    assert found[3, 1]["answer"] == {"text": "Fixed."}
    assert found[3, 1]["before_fix"] == {"text": "I have to see number 3."}
    assert found[1, 2]["said"][0]["text"] == "Anew."
    assert [row["text"] for row in rows(study, "long", which="standing")] == ["Anew.", "Fixed."]
    assert [row["rewrite"] for row in rows(study, "wide", which="standing")] == ["Anew.", "Fixed."]


def test_pilots_and_control_items_are_marked_and_what_was_expected_stays():
    study = campaigns.study(items=3)
    campaign = campaigns.campaign(study, state="pilot")
    ada = campaigns.person(study=study)
    campaigns.hand_in(campaign, ada, campaigns.held(campaign, ada))
    Item.objects.filter(campaign=campaign).update(expected={"text": "The secret one."})
    (pilot,) = lines(study)
    assert (pilot["pilot"], pilot["state"], pilot["counts"]) == (True, "pilot", False)
    Answer.objects.update(pilot=False)
    Item.objects.filter(campaign=campaign).update(control=True)
    (control,) = lines(study)
    assert (control["item"]["control"], control["state"]) == (True, "control")
    assert "The secret one." not in taken(study).decode() + taken(study, "long").decode()
    assert lines(study, which="standing") == []


def test_flags_name_the_checks_that_found_an_answer():
    study = campaigns.study(items=6)
    campaign = campaigns.campaign(study)
    ada = campaigns.person(study=study)
    for n in range(6):
        text = "Always the very same text." if n else "Something else entirely here."
        campaigns.hand_in(campaign, ada, campaigns.held(campaign, ada), content={"text": text}, seconds=60.0)
    assert [line["flags"] for line in lines(study, flags="yes")] == [[], *[["repeated_text"]] * 5]
    assert [line["flags"] for line in lines(study)] == [[]] * 6
    assert rows(study, "long", flags="yes")[1]["flags"] == "repeated_text"


def test_a_formula_is_defused_in_both_tables():
    study = campaigns.study(items=1)
    campaign = campaigns.campaign(study)
    ada = campaigns.person(study=study)
    campaigns.hand_in(campaign, ada, campaigns.held(campaign, ada), content={"text": "=HYPERLINK(1)"})
    assert rows(study, "long")[0]["text"] == "'=HYPERLINK(1)"
    assert rows(study, "wide")[0]["rewrite"] == "'=HYPERLINK(1)"
    assert lines(study)[0]["said"][0]["text"] == "=HYPERLINK(1)"


def test_an_unknown_option_is_refused_by_name(rated):
    for options in ({"format": "xls"}, {"which": "best"}, {"forms": "x"}, {"flags": "perhaps"}):
        with pytest.raises(UserError) as refused:
            export_answers(study=rated, options=options)
        assert refused.value.where in options
    assert not AuditEntry.objects.filter(action="export_answers").exists()


def test_page_api_and_command_give_the_same_bytes(rated, client, tmp_path):
    lead = campaigns.person(Role.RESEARCHER, rated)
    client.login(email=lead.email, password=PASSWORD)
    campaign = rated.campaigns.get()
    wanted = taken(rated, "long")
    for name, given in (("study_answers_file", [rated.slug]), ("campaign_answers_file", [rated.slug, campaign.slug])):
        for address in (reverse(name, args=given), reverse(f"api:{name.replace('_', '-')}", args=given)):
            answer = client.get(address, {"format": "long"})
            assert answer.status_code == 200
            assert answer["Content-Disposition"].endswith('-answers-long.csv"')
            assert b"".join(answer.streaming_content) == wanted
            assert client.get(address, {"format": "xls"}).status_code in (400, 422)
    call_command("export_answers", rated.slug, format="long", campaign=campaign.slug, to=tmp_path / "a.csv")
    assert (tmp_path / "a.csv").read_bytes() == wanted
    assert AuditEntry.objects.filter(action="export_answers", study_slug=rated.slug, person=lead).count() == 4
    with pytest.raises(CommandError, match="no campaign 'none'"):
        call_command("export_answers", rated.slug, campaign="none")


def test_the_page_lists_the_campaigns_and_offers_the_forms(rated, client):
    lead = campaigns.person(Role.RESEARCHER, rated)
    client.login(email=lead.email, password=PASSWORD)
    page = client.get(reverse("study_answers", args=[rated.slug])).content.decode()
    assert "Download answers" in page
    assert 'value="parquet"' in page
    assert "Download answers" in client.get(reverse("campaign", args=[rated.slug, "rate"])).content.decode()
    assert client.get(reverse("study_answers", args=[campaigns.study(items=1).slug])).status_code == 404
    wrong = client.get(reverse("study_answers_file", args=[rated.slug]), {"which": "best"})
    assert wrong.status_code == 422
    assert b"Expected one of all, standing." in wrong.content


def test_marks_leave_with_their_text_in_every_form_and_score_as_mqm(rated_spans):
    study, marks = rated_spans
    for line, its in zip(lines(study), (marks, []), strict=True):
        (output,) = line["outputs"]
        assert output["values"] == {"score": 60, "mqm": -5.1 if its else 0}
        assert output["marks"] == its
    long = [row for row in rows(study, "long") if row["criterion"] == "mark"]
    assert [(row["word"], row["text"] or row["part"]) for row in long] == [
        ("Accuracy/Omission, Major", "number"), ("Fluency/Punctuation, Minor", "."),
    ]  # fmt: skip
    assert {row["systems"] for row in long} == {campaigns.SYSTEMS[0]}
    assert json.loads(rows(study, "wide")[0]["mark_1"]) == marks
    first, second, third = csv.DictReader(
        io.StringIO(taken(study, "mqm").decode()), delimiter="\t", quoting=csv.QUOTE_NONE
    )
    assert (first["source"], first["category"], first["severity"]) == (
        "gotta see <v>number</v> 1 , u know", "Accuracy/Omission", "Major",
    )  # fmt: skip
    assert second["target"].endswith("<v>.</v>")
    assert (third["category"], third["severity"], third["doc_id"]) == ("No-error", "No-error", "2")
    assert {row["system"] for row in (first, second, third)} == {campaigns.SYSTEMS[0]}


def test_a_campaign_counts_its_marks_by_kind_and_system(rated_spans):
    counts = label_counts(rated_spans[0].campaigns.get())
    assert counts == (
        [("", 2), (campaigns.SYSTEMS[0], 2)],
        [("Accuracy/Omission", [50, 50]), ("Fluency/Punctuation", [50, 50]), ("", [50, 50])],
    )


def test_marks_are_shown_in_the_words_of_the_page_and_a_reason_as_it_was_written(rated_spans):
    answer = Answer.objects.get(content__marks__0__isnull=False)
    answer.content["marks"][1]["reason"] = "Minor, I think"
    with translation.override("de"):
        said = presented_answer(answer).said
    assert [(words, text) for words, text in said] == [
        ("Auslassung, Schwer", "“number”"), ("Zeichensetzung, Leicht, Minor, I think", "“.”"),
    ]  # fmt: skip


@pytest.fixture
def rated_spans():
    study = campaigns.study(items=2, systems=1)
    campaign = campaigns.campaign(study, "spans", settings={"taxonomy": "mqm"})
    ada, kept = campaigns.person(study=study, name="Ada"), []
    for turn in range(2):
        work = campaigns.held(campaign, ada)
        item = Item.objects.get(campaign=campaign, number=work.number)
        source, text = item.content["source"], item.content["candidates"][0]
        place, end = source.index("number"), len(text)
        marks = [
            {"side": "source", "start": place, "end": place + 6, "kind": "Accuracy/Omission", "severity": "Major",
             "reason": ""},
            {"side": "output", "start": end - 1, "end": end, "kind": "Fluency/Punctuation", "severity": "Minor",
             "reason": ""},
        ]  # fmt: skip
        kept = kept or marks
        content = {"marks": [] if turn else marks, "ratings": [{"score": 60}]}
        campaigns.hand_in(campaign, ada, work, content=content)
    return study, kept
