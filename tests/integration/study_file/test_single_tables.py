"""Sources, references, outputs and judgements of a study, each as one file that the import takes back."""

import io
import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.urls import reverse
from support import campaigns as make
from support.clients import as_person, with_token

from accounts.models import AuditEntry
from accounts.permissions import Role
from corpora.actions.add_direction import add_direction
from corpora.actions.add_references import add_references
from corpora.actions.add_sources import add_sources
from corpora.actions.add_system import add_system
from corpora.actions.create_study import create_study
from corpora.formats import TextFile
from corpora.models import Output, Reference, Sentence, Study
from corpora.table_parser import understand
from evaluation.actions.bring_in_judgements import bring_in_judgements
from evaluation.imported_judgements.judgement_plan import guess_meanings
from evaluation.models import Judgement
from study_file.study_archive import TABLES, WRITERS, written_table

pytestmark = pytest.mark.django_db
ODD = [
    "=SUM(A1)",
    'he said "no',
    "a\tb",
    "two\nlines, and a comma",
    "'=guarded",
    "d\u00e9j\u00e0 \u2028 vu",
    "again",
    "again",
]
ANSWERS = {"missing": "empty", "there": "match", "outputs": "keep", "repeated": "last"}


def study_of(slug):
    made = create_study(slug=slug, title=slug, styles=["informal", "formal"])
    for source, target in (("informal", "formal"), ("formal", "informal")):
        add_direction(study=made, source_style=source, target_style=target)
    return made


@pytest.fixture
def study():
    """Two directions, texts that no file likes, a source that stands twice, an empty output and none."""
    made = study_of("odd")
    first, second = made.directions.order_by("number")
    add_sources(direction=first, texts=ODD, split=["train", *["test"] * 7], domain=["Music", *[""] * 7])
    add_sources(direction=second, texts=["Hello."])
    add_references(direction=first, texts=[None, *[f"{text}!" for text in ODD[1:6]], "One.", "Two."], origin="ref")
    add_references(direction=second, texts=["hi"], origin="ref")
    outputs = {first: ["", *[f"{text}?" for text in ODD[1:6]], "A.", "B."], second: ["hey"]}
    add_system(study=made, name="Rules, new", outputs=outputs, origin="made", allows_missing=True)
    Output.objects.filter(sentence__number=3).delete()
    text = 'rater,number,direction,system,fluency\nann,7,informal-formal,"Rules, new",4\n'
    text += 'ann,8,informal-formal,"Rules, new",2\nbob,2,informal-formal,"Rules, new",5\n'
    with understand(TextFile(text.encode(), "r.csv")) as table:
        mapping = guess_meanings(made, table, {})
        bring_in_judgements(study=made, table=table, mapping=mapping, answers={"scale-fluency": "fluency_5"})
    return made


def held(study):
    by = "direction__number", "number"
    sentences = Sentence.objects.filter(direction__study=study).order_by(*by)
    of = [f"sentence__{name}" for name in by]
    references = Reference.objects.filter(set__direction__study=study).order_by("set__number", *of)
    outputs = Output.objects.filter(system__study=study).order_by("system__number", *of)
    judged = Judgement.objects.filter(ratings_import__study=study).order_by("worker", *of)
    return {
        "sources": list(sentences.values_list(*by, "text", "split", "domain")),
        "references": list(references.values_list("set__number", *of, "text")),
        "outputs": list(outputs.values_list("system__name", *of, "text")),
        "judgements": list(judged.values_list("worker", *of, "text_key", "system__name", "criterion__scale", "value")),
    }  # fmt: skip


@pytest.mark.parametrize("form", WRITERS)
def test_each_file_comes_back_by_its_own_guess_without_a_question(study, form):
    back, lead = study_of("back"), make.person(Role.RESEARCHER)
    back.memberships.create(person=lead, role=Role.RESEARCHER)
    client, address = with_token(lead), reverse("api:table-import", args=["back"])
    for file in ("sources", "references", "outputs", "judgements"):
        content = b"".join(written_table(study, file, form))
        given = {"target": "judgements" if file == "judgements" else "texts", "answers": json.dumps(ANSWERS)}
        upload = lambda: SimpleUploadedFile(f"{file}.{form}", content)  # noqa: B023, E731
        dry = client.post(address, {**given, "file": upload(), "dry_run": "true"}).json()
        assert [one for one in dry["questions"] if not one["answer"]] == [], file
        done = client.post(address, {**given, "file": upload(), "mapping": json.dumps(dry["mapping"])})
        assert done.status_code == 201, done.json()
    assert held(back) == held(study)


@pytest.mark.parametrize("form", WRITERS)
def test_outputs_alone_bring_their_sources(study, form):
    back = study_of("back")
    lead = make.person(Role.RESEARCHER)
    back.memberships.create(person=lead, role=Role.RESEARCHER)
    upload = SimpleUploadedFile(f"outputs.{form}", b"".join(written_table(study, "outputs", form)))
    mapping = {name: name for name in ("direction", "number", "source", "system", "text")}
    given = {"target": "texts", "file": upload, "mapping": json.dumps(mapping), "answers": json.dumps(ANSWERS)}
    assert with_token(lead).post(reverse("api:table-import", args=["back"]), given).status_code == 201
    fields = ("sentence__text", "text")
    mine, theirs = (list(Output.objects.filter(system__study=one).order_by("sentence").values_list(*fields))
                    for one in (study, back))  # fmt: skip
    assert theirs == mine


def test_page_api_and_command_give_the_same_and_leave_a_row(study, tmp_path):
    lead = make.person(Role.RESEARCHER)
    study.memberships.create(person=lead, role=Role.RESEARCHER)
    for file in TABLES:
        asked = {"file": file, "format": "tsv"}
        page = as_person(lead).get(reverse("study_export", args=["odd"]), asked)
        told = with_token(lead).get(reverse("api:study-export", args=["odd"]), asked)
        call_command("export_study", "odd", "--file", file, "--format", "tsv", "--to", str(tmp_path / file))
        wanted = (tmp_path / file).read_bytes()
        assert b"".join(page.streaming_content) == b"".join(told.streaming_content) == wanted
        assert told["Content-Type"] == "text/tab-separated-values; charset=utf-8"
        assert page["Content-Disposition"] == f'attachment; filename="odd-{file}.tsv"'
    assert AuditEntry.objects.filter(kind=AuditEntry.Kind.EXPORT, study_slug="odd").count() == 3 * len(TABLES)
    for page, files in (
        ("study_texts", {"sources", "references"}),
        ("study_systems", {"outputs"}),
        ("study_ratings", {"judgements", "marks", "raters"}),
        ("metrics_choose", set()),
    ):
        shown = as_person(lead).get(reverse(page, args=["odd"])).content.decode()
        assert all((f"?file={file}&amp;format=csv" in shown) == (file in files) for file in TABLES)


def test_a_table_that_there_is_not_is_named(study):
    lead = make.person(Role.RESEARCHER)
    study.memberships.create(person=lead, role=Role.RESEARCHER)
    told = with_token(lead).get(reverse("api:study-export", args=["odd"]), {"file": "spans"})
    assert (told.status_code, told.json()["detail"]) == (
        400, "file: 'spans' is not among sources, references, outputs, judgements, raters, scores, marks.",
    )  # fmt: skip
    page = as_person(lead).get(reverse("study_export", args=["odd"]), {"file": "outputs", "format": "xls"}, follow=True)
    assert "is not among csv, tsv, jsonl" in page.content.decode()
    with pytest.raises(CommandError, match="is not among"):
        call_command("export_study", "odd", "--file", "outputs", "--format", "xls", stdout=io.StringIO())


def test_an_empty_study_gives_headers(tmp_path):
    study = Study.objects.create(slug="none", title="None", styles=["a", "b"])
    assert [b"".join(written_table(study, file, "csv")).decode("utf-8-sig").strip() for file in TABLES] == [
        "direction,number,source,split,domain", "direction,number,source", "direction,number,source,system,text",
        "rater,direction,number,source,text,system,criterion,value,scale,seconds", "rater",
        "metric,version,signature,better,direction,number,source,system,value",
        "doc_id,line_id,src,tgt,esa_spans,esa_score,system,annotator",
    ]  # fmt: skip
