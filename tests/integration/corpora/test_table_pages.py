"""The one way in: a file, what was understood, what its columns mean, what will happen, and then in."""

import json
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from support.form_fields import form_fields
from support.workbooks import workbook, zipped

from corpora.actions import start_table
from corpora.background_jobs import bring_in_upload
from corpora.models import Document, Output, Reference, Sentence, Study, Upload, UploadPiece
from corpora.views.tables import _page
from jobs.execution import run_job
from jobs.models import Job

WIDE = "informal,formal,Rules\nu r late,You are late.,You late.\nbrb now,I will be back.,Be back now.\n"


def begin(browser: Client, content: str | bytes, name: str = "texts.csv", target: str = "texts", **form: Any) -> Any:
    data = content.encode() if isinstance(content, str) else content
    return browser.post(reverse("table_new", args=["tone"]),
                        {"target": target, "file": SimpleUploadedFile(name, data), **form})  # fmt: skip


def fields(page: Any) -> dict[str, str]:
    """What the page would send."""
    told = page.context
    found = {"target": told["upload"].target, **told["reading"]}
    for one in told["columns"]:
        found |= {f"meaning-{one['place']}": one["meaning"], f"name-{one['place']}": one["name"]}
    for one in told["settings"]:
        found[f"set-{one['setting'].name}"] = one["value"]
    return found


def act(browser: Client, act: str, **changes: str) -> Any:
    address = reverse("table", args=["tone", Upload.objects.get().pk])
    page = browser.get(address)
    answers = {f"answer-{name}": value for name, value in Upload.objects.get().answers.items()}
    return browser.post(address, {**fields(page), **answers, **changes, "act": act})


def counts() -> tuple[int, int, int]:
    return Sentence.objects.count(), Reference.objects.count(), Output.objects.count()


def test_a_look_that_an_import_overtakes_leads_to_what_came_in(browser: Client, study: Study, rf: Any) -> None:
    """The page asks for a preview a moment after a change; *Import* may be pressed meanwhile, and takes the file."""
    begin(browser, WIDE)
    kept = Upload.objects.select_related("study").get()
    Upload.objects.all().delete()
    for htmx, header in ((True, "HX-Redirect"), (False, "Location")):
        request = rf.get(reverse("table", args=["tone", kept.pk]))
        request.study, request.htmx = study, htmx
        assert _page(request, kept, None).headers[header] == reverse("study_texts", args=["tone"])


def test_a_table_in_four_steps(browser: Client, study: Study) -> None:
    answer = begin(browser, WIDE)
    upload = Upload.objects.get()
    assert answer["Location"] == reverse("table", args=["tone", upload.pk])
    page = browser.get(answer["Location"])
    assert [one["meaning"] for one in page.context["columns"]] == ["source", "reference", "output"]
    assert ("New sources", 2) in page.context["plan"].numbers
    assert counts() == (3, 0, 0)
    refused = act(browser, "bring")
    assert refused.status_code == 422
    assert "its source is not there yet (line 2, 3)" in str(refused.context["error"])
    assert counts() == (3, 0, 0)
    assert (
        act(browser, "look", **{"answer-new": "add", "answer-missing": "allow", "name-2": "My rules"}).status_code
        == 302
    )
    page = browser.get(answer["Location"])
    assert page.context["columns"][2]["name"] == "My rules"
    assert page.context["plan"].open == []
    done = act(browser, "bring", **{"answer-new": "add", "answer-missing": "allow"})
    assert done["Location"] == reverse("study_texts", args=["tone"])
    assert counts() == (5, 2, 2)
    assert study.systems.get().name == "My rules"
    assert not Upload.objects.exists()
    assert not UploadPiece.objects.exists()


def test_what_stands_above_a_table_is_asked_and_the_answer_holds(browser: Client, study: Study) -> None:
    begin(browser, "Our texts of 2025,,\n" + WIDE)
    address = reverse("table", args=["tone", Upload.objects.get().pk])
    page = browser.get(address)
    assert [one.name for one in page.context["plan"].open] == ["above", "new", "missing"]
    assert "Our texts of 2025" in page.content.decode()
    assert act(browser, "bring").status_code == 422
    act(browser, "look", **{"answer-above": "1"})
    assert Upload.objects.get().reading["above"] == "1"
    page = browser.get(address)
    assert [one.name for one in page.context["plan"].open] == ["new", "missing"]
    act(browser, "bring", **{"answer-new": "add", "answer-missing": "allow"})
    assert counts() == (5, 2, 2)


def test_another_reading_asks_for_the_columns_again(browser: Client, study: Study) -> None:
    begin(browser, "a;b\nu ok;Are you?\n", "texts.txt")
    assert act(browser, "look", delimiter="none").status_code == 302
    page = browser.get(reverse("table", args=["tone", Upload.objects.get().pk]))
    assert [one["column"] for one in page.context["columns"]] == ["Column 1"]
    assert Upload.objects.get().mapping is None


def test_a_wrong_encoding_can_be_put_right(browser: Client, study: Study) -> None:
    begin(browser, "source,text\nпривет вам,да\n".encode("windows-1251"))
    page = browser.get(reverse("table", args=["tone", Upload.objects.get().pk]))
    assert "(a guess)" in page.content.decode()
    act(browser, "look", encoding="windows-1251")
    page = browser.get(reverse("table", args=["tone", Upload.objects.get().pk]))
    assert "привет вам" in page.content.decode()
    act(browser, "look", encoding="no-such")
    page = browser.get(reverse("table", args=["tone", Upload.objects.get().pk]))
    assert "there is no encoding" in page.content.decode()


def test_pasted_rows_and_faults_of_the_first_step(browser: Client, study: Study) -> None:
    address = reverse("table_new", args=["tone"])
    assert browser.post(address, {"target": "texts", "pasted": "one two\nthree four\n\n"}).status_code == 302
    assert act(browser, "bring", **{"set-domain": "music"}).status_code == 302
    assert list(Sentence.objects.order_by("number").values_list("text", flat=True))[3:] == ["one two", "three four"]
    assert Sentence.objects.get(text="one two").domain == "music"
    for form, said in (
        ({}, "Choose a file, or paste the rows."),
        ({"pasted": "a", "file": SimpleUploadedFile("a.txt", b"b")}, "not both"),
        ({"file": SimpleUploadedFile("a.pdf", b"%PDF-1.7")}, "this is a PDF document"),
    ):
        answer = browser.post(address, {"target": "texts", **form})
        assert answer.status_code == 422
        assert said in str(answer.context["form"].errors)
    assert not Upload.objects.exists()


def test_cancelling_lets_go(browser: Client, study: Study) -> None:
    begin(browser, WIDE)
    assert act(browser, "drop").status_code == 302
    assert not UploadPiece.objects.exists()


def test_an_archive_of_unlike_tables_begins_with_the_first(browser: Client, study: Study) -> None:
    begin(browser, zipped({"a.csv": WIDE, "b.csv": "id,output\n1,Hello.\n"}), "all.zip")
    page = browser.get(reverse("table", args=["tone", Upload.objects.get().pk]))
    assert page.context["reading"]["part"] == "a.csv"
    act(browser, "look", part="b.csv")
    page = browser.get(reverse("table", args=["tone", Upload.objects.get().pk]))
    assert [one["column"] for one in page.context["columns"]] == ["id", "output"]


def test_the_outputs_of_several_systems_come_in_from_several_files(browser: Client, study: Study) -> None:
    files = [SimpleUploadedFile(f"{name}.txt", f"{name} one\n{name} two\n{name} three\n".encode()) for name in "AB"]
    answer = browser.post(reverse("table_new", args=["tone"]), {"target": "texts", "file": files})
    page = browser.get(answer["Location"])
    assert [one["meaning"] for one in page.context["columns"]] == ["system", "number", "text"]
    assert "A.txt, B.txt" in page.content.decode()
    assert page.context["plan"].open == []
    act(browser, "bring")
    found = study.systems.order_by("name").values_list("name", "outputs__text", "outputs__sentence__number")
    assert sorted(found) == sorted((name, f"{name} {word}", n) for name in "AB"
                                   for n, word in enumerate(("one", "two", "three"), 1))  # fmt: skip


def test_documents_come_in_by_a_job(browser: Client, study: Study) -> None:
    rows = [("pmid", "title", "abstract"), (1, "One", "It is so. It is not."), (2, "Two", "Call 555-123-4567 now.")]
    begin(browser, workbook({"Abstracts": rows}), "abstracts.xlsx", "documents")
    assert "Choose the style" in str(
        browser.get(reverse("table", args=["tone", Upload.objects.get().pk])).context["wrong"]
    )
    answer = act(browser, "bring", **{"set-style": "formal"})
    job = Job.objects.get()
    assert answer["Location"] == reverse("job", args=["tone", job.pk])
    run_job(job.pk, bring_in_upload)
    job.refresh_from_db()
    assert job.state == "done", job.error
    assert "2 documents with 3 sentences are in; 1 sentences are held back" in job.log
    assert list(Document.objects.values_list("code", "title", "style")) == [
        ("1", "One", "formal"),
        ("2", "Two", "formal"),
    ]
    assert not Upload.objects.exists()
    begin(browser, workbook({"Abstracts": [*rows, (3, "Three", "New.")]}), "abstracts.xlsx", "documents")
    assert "2 documents are there already: 1, 2." in str(
        act(browser, "bring", **{"set-style": "formal"}).context["error"]
    )
    act(browser, "bring", **{"set-style": "formal", "answer-there": "skip"})
    run_job(Job.objects.latest("pk").pk, bring_in_upload)
    assert Document.objects.count() == 3


def test_many_rows_come_in_by_a_job(browser: Client, study: Study, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(start_table, "AT_ONCE", 1)
    begin(browser, WIDE)
    act(browser, "bring", **{"answer-new": "add", "answer-missing": "allow"})
    run_job(Job.objects.get().pk, bring_in_upload)
    assert Job.objects.get().state == "done"
    assert counts() == (5, 2, 2)
    run_job(Job.objects.get().pk, bring_in_upload)
    assert counts() == (5, 2, 2)


def test_the_old_addresses_lead_on(browser: Client, study: Study) -> None:
    answer = browser.get(reverse("references_new", args=["tone", 1]))
    assert answer["Location"] == reverse("table_new", args=["tone"]) + "?target=texts&direction=1"
    assert browser.get(reverse("system_new", args=["tone"])).status_code == 302
    assert browser.post(reverse("system_new", args=["tone"])).status_code == 405


def test_what_belongs_to_another_study_is_not_found(browser: Client, study: Study) -> None:
    browser.post(reverse("study_new"), {"title": "Other", "styles": "a, b", "slug": "other"})
    begin(browser, WIDE)
    address = reverse("table", args=["other", Upload.objects.get().pk])
    assert browser.get(address).status_code == browser.post(address, {"act": "drop"}).status_code == 404


class TestAPI:
    """The same in one request."""

    MAPPING = {"informal": "source", "formal": "reference", "Rules": "output"}

    def send(self, browser: Client, content: str = WIDE, **form: Any) -> Any:
        form = {name: json.dumps(value) if isinstance(value, dict) else value for name, value in form.items()}
        file = SimpleUploadedFile("texts.csv", content.encode())
        return browser.post(reverse("api:table-import", args=["tone"]), {"file": file, **form})

    def test_a_dry_run_says_what_would_happen(self, browser: Client, study: Study) -> None:
        told = self.send(browser, dry_run="true").json()
        assert told["mapping"] == {"informal": "source", "formal": "reference: formal", "Rules": "output: Rules"}
        assert told["numbers"]["New sources"] == 2
        assert [one["name"] for one in told["questions"]] == ["new", "missing"]
        assert told["understood"]["columns"] == ["informal", "formal", "Rules"]
        assert told["understood"]["first_rows"][0][1] == "You are late."
        assert counts() == (3, 0, 0)
        assert not Upload.objects.exists()

    def test_a_dry_run_names_every_file_of_an_archive(self, browser: Client, study: Study) -> None:
        archive = zipped({"a.csv": WIDE, "LICENSE": "CC0"})
        file = SimpleUploadedFile("set.zip", archive)
        told = browser.post(reverse("api:table-import", args=["tone"]), {"file": file, "dry_run": "true"}).json()
        assert told["understood"]["files"] == [
            {"name": "a.csv", "kind": "delimited", "rows": 2, "columns": ["informal", "formal", "Rules"],
             "is_read": True, "left_out": ""},
            {"name": "LICENSE", "kind": "", "rows": 0, "columns": [], "is_read": False,
             "left_out": "it describes the data."},
        ]  # fmt: skip

    def test_it_comes_in_with_a_mapping_and_answers(self, browser: Client, study: Study) -> None:
        assert "Give the meanings of the columns" in self.send(browser).json()["detail"]
        refused = self.send(browser, mapping=self.MAPPING)
        assert refused.status_code == 400
        assert "(new = add) or" in refused.json()["detail"]
        assert counts() == (3, 0, 0)
        assert not Upload.objects.exists()
        answers = {"new": "add", "missing": "allow"}
        done = self.send(browser, mapping=self.MAPPING, settings={"split": "train"}, answers=answers)
        assert done.status_code == 201, done.content
        assert done.json()["brought"].startswith("In are now: 2 new sources")
        assert counts() == (5, 2, 2)
        assert Sentence.objects.filter(split="train").count() == 2

    def test_notes_are_told_before_and_after(self, browser: Client, study: Study) -> None:
        files = {"a.csv": WIDE, "cover.pdf": b"%PDF-1.7"}
        dry = browser.post(reverse("api:table-import", args=["tone"]),
                           {"file": SimpleUploadedFile("x.zip", zipped(files)), "dry_run": "true"}).json()  # fmt: skip
        assert "a PDF document" in dry["notes"][0]["sentence"]
        form = {"mapping": json.dumps(self.MAPPING), "answers": json.dumps({"new": "add", "missing": "allow"})}
        done = browser.post(reverse("api:table-import", args=["tone"]),
                            {"file": SimpleUploadedFile("x.zip", zipped(files)), **form})  # fmt: skip
        assert done.json()["notes"] == dry["notes"]

    @pytest.mark.parametrize(("form", "said"), [
        ({"mapping": {"informal": "sourse"}}, "There is no meaning 'sourse'"), ({"mapping": "[1]"}, "JSON object"),
        ({"mapping": {"informal": "source"}, "target": "text"}, "There is no target 'text'"),
        ({"mapping": {"informal": "source"}, "settings": {"splt": "x"}}, "no setting 'splt'"),
        ({"mapping": {"informal": "source"}, "settings": {"split": "x"}}, "'x' is not among"),
        ({"mapping": {"informal": "source"}, "part": "x"}, ""),
    ])  # fmt: skip
    def test_faults(self, browser: Client, study: Study, form: dict[str, Any], said: str) -> None:
        answer = self.send(browser, **form)
        assert answer.status_code == (400 if said else 201)
        assert said in answer.content.decode()


def nested(rows: int = 2) -> str:
    return json.dumps([
        {"informal": f"u {n} late", "refs": [f"You, {n}, are late.", f"You are late, {n}."],
         "log": [{"at": place, "what": "key"} for place in range(30)]}
        for n in range(rows)
    ])  # fmt: skip


def test_columns_that_differ_in_their_numbers_are_one_row(browser: Client, study: Study) -> None:
    address = begin(browser, nested(), "nested.json")["Location"]
    page = browser.get(address)
    shown = [*page.context["meant"], *page.context["others"]]
    assert [(one["column"], one.get("count")) for one in shown] == [
        ("informal", None), ("refs[1–2]", 2), ("log[1–30].at", 30), ("log[1–30].what", 30),
    ]  # fmt: skip
    assert len(page.context["columns"]) == 63
    assert page.content.decode().count('name="meaning-') == 4
    sent = form_fields(page.content.decode())
    assert sent["meaning-1"] == "reference"
    browser.post(address, {**sent, "act": "bring", "answer-new": "add"})
    assert counts() == (5, 4, 0)


def test_a_row_of_columns_gets_another_meaning_and_is_taken_apart(browser: Client, study: Study) -> None:
    address = begin(browser, nested(), "nested.json")["Location"]
    sent = form_fields(browser.get(address).content.decode())
    browser.post(address, {**sent, "meaning-1": "output", "act": "look"})
    assert {value for value in (Upload.objects.get().mapping or {}).values() if value} == {"source", "output"}
    page = browser.get(address)
    apart = browser.post(address, {**form_fields(page.content.decode()), "act": "look", "apart": "1"})
    page = browser.get(apart["Location"])
    assert [one["column"] for one in page.context["meant"]] == ["informal", "refs.1", "refs.2"]
    sent = form_fields(page.content.decode())
    browser.post(address, {**sent, "meaning-2": "", "act": "look"})
    page = browser.get(address)
    assert [one["column"] for one in page.context["meant"]] == ["informal", "refs.1"]
    broken = browser.post(address, {**sent, "group-1": "[", "act": "look"})
    assert broken.status_code == 422
    assert "cannot be read" in str(broken.context["error"])


def test_a_file_of_a_tool_says_that_it_holds_judgements(browser: Client, study: Study) -> None:
    result = {"from_name": "fluency", "type": "rating", "value": {"rating": 4}}
    about = {"id": 1, "data": {"source": "u late", "output": "You are late."}}
    task = {**about, "annotations": [{"completed_by": 1, "result": [result]}]}
    address = begin(browser, json.dumps([task]), "tasks.json")["Location"]
    page = browser.get(address)
    assert "This looks like a file of Label Studio." in page.content.decode()
    browser.post(address, {**form_fields(page.content.decode()), "act": "as:judgements"})
    page = browser.get(address)
    assert Upload.objects.get().target == "judgements"
    assert "Recognised as a file of Label Studio." in page.content.decode()


def test_every_file_of_an_archive_is_named_with_what_becomes_of_it(browser: Client, study: Study) -> None:
    archive = zipped({
        "set/README.md": "# About", "set/train.csv": WIDE, "set/test.csv": WIDE.replace("u r", "u were"),
        "set/outputs.csv": "informal,system,text\nu r late,A,You late.\n",
        "set/page.html": "<!doctype html><html></html>", "set/.DS_Store": "x",
    })  # fmt: skip
    address = begin(browser, archive, "set.zip")["Location"]
    page = browser.get(address)
    told = {one["name"]: (one["kind"], one["rows"], one["is_read"], one["left"]) for one in page.context["files"]}
    assert told == {
        "set/README.md": ("", 0, False, "it describes the data."),
        "set/train.csv": ("A table with a delimiter", 2, True, ""),
        "set/test.csv": ("A table with a delimiter", 2, False, ""),
        "set/outputs.csv": ("A table with a delimiter", 1, False, ""),
        "set/page.html": (
            "",
            0,
            False,
            "this is an HTML page; save the table itself as CSV or .xlsx; "
            "a table was expected: text, CSV, JSON, .xlsx or Parquet.",
        ),
        "set/.DS_Store": ("", 0, False, "it is a hidden file."),
    }
    assert page.context["alike"] == 2
    assert not any("Not read" in str(note) for note in page.context["plan"].notes)
    browser.post(address, {**form_fields(page.content.decode()), "act": "part:*"})
    page = browser.get(address)
    assert [one["name"] for one in page.context["files"] if one["is_read"]] == ["set/train.csv", "set/test.csv"]
    assert ("Rows read", 4) in page.context["plan"].numbers
    assert page.context["alike"] == 0
    browser.post(address, {**form_fields(page.content.decode()), "act": "part:set/outputs.csv"})
    page = browser.get(address)
    assert [one["name"] for one in page.context["files"] if one["is_read"]] == ["set/outputs.csv"]


def test_what_an_import_counts_and_asks_is_said_in_german(browser: Client, study: Study) -> None:
    begin(browser, WIDE)
    page = browser.get(reverse("table", args=["tone", Upload.objects.get().pk]), headers={"accept-language": "de"})
    said = page.content.decode()
    for words in (
        "Referenzen, formal",
        "Ausgaben von Rules",
        "Als neue Ausgangstexte hinzufügen",
        "Ohne Ausgabe bleiben",
    ):
        assert words in said
    assert "Add them as new sources" not in said


def test_questions_about_rows_and_their_choices_are_in_german_too(browser: Client, study: Study) -> None:
    begin(browser, "informal,formal\nbrb now,Back soon.\nbrb now,I will be back.\nok,\n")
    page = browser.get(reverse("table", args=["tone", Upload.objects.get().pk]), headers={"accept-language": "de"})
    said = page.content.decode()
    for words in ("1 Zeile hat die Quelle einer früheren Zeile.", "Jede Zeile ist eine eigene Quelle"):
        assert words in said
