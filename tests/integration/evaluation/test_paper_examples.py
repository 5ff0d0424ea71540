"""The papers' examples from the snapshot of a real study to its pages, its API and its command."""

import pytest
from django.core.management import call_command
from support import campaigns

from accounts.permissions import Role
from corpora.actions.add_direction import add_direction
from corpora.actions.add_references import add_references
from corpora.actions.add_sources import add_sources
from corpora.actions.add_system import add_system
from corpora.actions.create_study import create_study
from corpora.models import Document, DocumentSentence, Question, Sentence
from evaluation.actions.choose_metrics import choose_metrics
from evaluation.actions.make_report import make_report
from evaluation.models import Report
from evaluation.snapshot_builder.build import snapshot_of
from evaluation.table_parts.contents import Entry

pytestmark = pytest.mark.django_db
SOURCES = ["Patients present with dyspnea.", "Hypertension was treated.", "The trial was small."]
FIRST = ["People have trouble breathing, dyspnea.", "High blood pressure, hypertension, was treated.", "Few took part."]
SECOND = ["Shortness of breath brings people in.", "Drugs were given for hypertension.", "Few took part."]
NAMES = [
    "gyafc_table_1", "msd_table_1", "fu_table_1", "plaba_table_1", "plaba_table_7", "plaba_figure_3", "medlane_table_4",
    "medlane_table_5",
]  # fmt: skip


@pytest.fixture
def study():
    """Three sentences of one abstract that answers a question, with two sets of references and two systems."""
    made = create_study(slug="plain", title="Plain", styles=["expert", "lay"])
    direction = add_direction(study=made, source_style="expert", target_style="lay")
    add_sources(direction=direction, texts=SOURCES)
    for texts in (FIRST, SECOND):
        add_references(direction=direction, texts=texts, origin="a file")
    outputs = {"Copy": SOURCES, "Half": [FIRST[0], "Blood pressure was treated.", "A trial."]}
    for name, texts in outputs.items():
        add_system(study=made, name=name, outputs={direction: texts}, origin="a file")
    question = Question.objects.create(study=made, number=1, code="Q1", text="What helps against dyspnea?")
    document = Document.objects.create(
        study=made, number=1, style="expert", code="33497", title="Dyspnea", question=question
    )
    for number, text in enumerate(SOURCES, start=1):
        origin = DocumentSentence.objects.create(document=document, number=number, section="Results", text=text)
        concepts = [{"start": 22, "end": 29, "cui": "C0013404"}] if number == 1 else []
        Sentence.objects.filter(direction=direction, number=number).update(origin=origin, concepts=concepts)
    choose_metrics(study=made, metrics={"bleu": {}})
    return made


def test_the_record_knows_what_stands_around_its_units(study):
    around = snapshot_of(study).context
    assert (around.document, around.numbers) == ([0, 0, 0], [1, 2, 3])
    assert (around.titles, around.codes, around.questions) == (
        ("Dyspnea",), ("33497",), ("What helps against dyspnea?",)
    )  # fmt: skip
    ((unit, (source, reference)),) = around.linked.items()
    assert unit == 0
    assert "dyspnea" in [SOURCES[0][one.start : one.end] for one in source]
    assert "dyspnea" in [FIRST[0][one.start : one.end] for one in reference]


def test_every_one_is_made_and_shown(study, client, capsys):
    make_report(study=study)
    stored_tables = Report.objects.get(study=study).tables_and_figures
    lacking = {name: lacking.reasons for name in NAMES if (lacking := Entry.of(stored_tables[name]).lacking)}
    assert lacking == {}
    client.force_login(campaigns.person(Role.RESEARCHER, study))
    for name in NAMES:
        page = client.get(f"/studies/plain/report/tables/{name}/")
        assert page.status_code == 200
        assert stored_tables[name]["made"]["title"] in page.content.decode()
        assert client.get(f"/api/studies/plain/tables/{name}/?format=csv").status_code == 200
    page = client.get("/studies/plain/report/tables/msd_table_1/").content.decode()
    assert "<mark>dyspnea [C0013404]</mark>" in page
    call_command("report", "plain", table="plaba_table_1", format="csv")
    assert "What helps against dyspnea?" in capsys.readouterr().out


def test_a_study_without_documents_says_what_is_lacking(study):
    Sentence.objects.filter(direction__study=study).update(origin=None, concepts=None)
    make_report(study=study)
    stored_tables = Report.objects.get(study=study).tables_and_figures
    assert stored_tables["plaba_table_1"]["made"]["reasons"] == [
        "No source comes from a document that answers a question: add questions with their documents."
    ]
    assert stored_tables["msd_table_1"]["made"]["reasons"] == [
        "No concepts are linked in the sources: link them on the page Texts."
    ]


def test_a_figure_leaves_as_pdf_by_page_api_and_command(study, client, tmp_path):
    make_report(study=study)
    client.force_login(campaigns.person(Role.RESEARCHER, study))
    page = client.get("/studies/plain/report/tables/leaderboard_figure/").content.decode()
    assert 'href="/studies/plain/report/tables/leaderboard_figure/pdf/?words=page"' in page
    file = "/studies/plain/report/tables/leaderboard_figure/pdf/"
    for address in (file, "/api/studies/plain/tables/leaderboard_figure/?format=pdf"):
        found = client.get(address)
        assert (found.status_code, found["Content-Type"]) == (200, "application/pdf")
        assert found.content.startswith(b"%PDF-")
    call_command("report", "plain", table="leaderboard_figure", format="pdf", to=tmp_path / "figure.pdf")
    assert (tmp_path / "figure.pdf").read_bytes().startswith(b"%PDF-")
