"""The rows behind a number add up to it, in every table; pages, files and the API show what was stored."""

from html import escape
from types import SimpleNamespace
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from support import campaigns

from accounts.permissions import Role
from annotation.campaigns.criteria import keep_criteria
from annotation.models import Answer, CampaignMembership
from corpora.actions.add_direction import add_direction
from corpora.actions.add_references import add_references
from corpora.actions.add_sources import add_sources
from corpora.actions.add_system import add_system
from corpora.actions.create_study import create_study
from corpora.formats import Judgement as Given
from corpora.models import Study
from evaluation.actions.choose_metrics import choose_metrics
from evaluation.actions.import_ratings import import_ratings
from evaluation.actions.make_report import make_report
from evaluation.drilldown import rows_behind
from evaluation.models import Report
from evaluation.table_parts.contents import Entry
from foundation.errors import UserError

pytestmark = pytest.mark.django_db
SOURCES = ["hey there", "what up", "gotta go", "me too", "no way", "so long pal", "Hey there"]  # the last is the first
FORMAL = ["Hello there.", "How are you?", "I have to leave.", "I agree.", "I disagree.", "Farewell.", "Hello there."]
SYSTEMS = {
    "Good": ["Hello to you.", "How are you, man?", "I must leave.", "I agree too.", "No.", "Farewell.", "Good day."],
    "Copy": SOURCES,
    "Half": ["Hello there you", "What are you?", "I gotta go.", None, "Not so.", "Farewell.", "Hey there"],
}
CRITERIA = {"formality": "formality_7", "fluency": "fluency_5", "meaning": "meaning_6"}
ASPECTS = {"formality": "style", "fluency": "fluency", "meaning": "meaning"}


@pytest.fixture(scope="module")
def world(django_db_setup, django_db_blocker):
    """A study of two directions and two domains, rated by four and ranked by two, the source judged too."""
    with django_db_blocker.unblock(), transaction.atomic():
        study = create_study(slug="mail", title="Mail", styles=["informal", "formal"])
        there = _direction(study, "informal", "formal", SOURCES, FORMAL)
        back = _direction(study, "formal", "informal", FORMAL[:6], SOURCES[:6])
        for name, outputs in SYSTEMS.items():
            both = {there: outputs, back: [f"{text} {name}" for text in SOURCES[:6]]}
            add_system(study=study, name=name, outputs=both, origin="a file", allows_missing=True)
        kept = [{"name": name, "scale": scale, "aspect": ASPECTS[name], "beside": "source"}
                for name, scale in CRITERIA.items()]  # fmt: skip
        keep_criteria(study, kept)
        import_ratings(study=study, format="mturk", file_name="ratings.csv", judgements=list(_ratings()))
        ranked = campaigns.campaign(study, "rank", systems=list(study.systems.all()))
        ranked.settings = {**ranked.settings, "rate_source": True}
        ranked.save()
        for person in (campaigns.person(study=study) for _ in range(2)):
            _rank(ranked, person)
        choose_metrics(study=study, metrics={"bleu": {}, "pinc": {}, "fkgl": {}})
        lead = campaigns.person(Role.RESEARCHER, study)
        yield SimpleNamespace(study=study, report=make_report(study=study), lead=lead)
        transaction.set_rollback(True)


def _direction(study, source, target, texts, references):
    made = add_direction(study=study, source_style=source, target_style=target)
    add_sources(direction=made, texts=texts[:4], domain="music")
    add_sources(direction=made, texts=texts[4:], domain="family")
    add_references(direction=made, texts=references, origin="a file")
    return made


def _ratings():
    for k, (name, outputs) in enumerate([*SYSTEMS.items(), ("Source", SOURCES)]):
        for n, (source, text) in enumerate(zip(SOURCES[:6], outputs[:6], strict=True)):
            back = f"{SOURCES[n]} {name}" if name != "Source" else FORMAL[n]
            for r in range(4):
                for criterion in CRITERIA:
                    value = 1 + (n * 3 + k * 2 + r + len(criterion)) % (3 if criterion == "formality" else 5)
                    if text:
                        yield Given(f"w{r}", source, text, "formal", criterion, value, None, n)
                    yield Given(f"w{r}", FORMAL[n], back, "informal", criterion, value, None, n)


def _rank(campaign, person):
    CampaignMembership.objects.create(campaign=campaign, person=person)
    for n, item in enumerate(campaign.items.order_by("pk")[:5]):
        many = len(item.content["candidates"])
        Answer.objects.create(
            campaign=campaign, item=item, assignment=item.assignments.first(), person=person, key=uuid4(),
            guideline_version=1,
            content={"ranks": [1 + (n + person.pk + k) % many for k in range(many)]}, submitted_at=timezone.now(),
        )  # fmt: skip


def numbers(report):
    """Each traced number: the table's name, what it asks for, and the cell."""
    for name, stored in report.tables_and_figures.items():
        if stored["is"] == "table":
            yield from ((name, cell) for row in Entry.of(stored).table.rows for cell in row if cell.rows)


def test_the_rows_of_every_number_add_up_to_it(world):
    seen = {}
    for name, cell in numbers(world.report):
        seen.setdefault(tuple(sorted(cell.rows.items())), []).append((name, cell))
    assert {name for of in seen.values() for name, _ in of} >= {"leaderboard", "systems", "variants", "gyafc_table_4"}
    asked = {key for pairs in seen for key, _ in pairs}
    assert asked >= {"system", "metric", "criterion", "variant", "direction"}
    assert {value for pairs in seen for key, value in pairs if key == "criterion"} == {*CRITERIA, "rank"}
    for pairs, cells in seen.items():
        behind = rows_behind(world.study, dict(pairs))
        for name, cell in cells:
            assert behind.value == pytest.approx(cell.value), (name, pairs)
            if behind.judged and "n" in cell.parts:
                assert behind.many == cell.parts["n"], (name, pairs)


def test_a_mean_is_that_of_its_rows_and_a_corpus_score_is_none(world):
    pinc = rows_behind(world.study, {"system": "Half", "metric": "pinc"})
    assert pinc.is_mean
    assert pinc.value == pytest.approx(sum(row.score for row in pinc.rows) / len(pinc.rows))
    assert len(pinc.rows) == 12, "what has no output has no row"
    bleu = rows_behind(world.study, {"system": "Half", "metric": "bleu"})
    assert not bleu.is_mean
    assert [row.score for row in bleu.rows] == sorted(row.score for row in bleu.rows)
    judged = rows_behind(world.study, {"system": "Good", "criterion": "fluency", "direction": "0"})
    (first, *_) = [row for row in judged.rows if row.source == "what up"]
    assert first.output == "How are you, man?"
    assert first.references == ["How are you?"]
    assert first.score == pytest.approx(sum(value for _, value in first.given) / 4)
    assert judged.value == pytest.approx(sum(row.score for row in judged.rows) / len(judged.rows))
    assert judged.many == sum(len(row.given) for row in judged.rows) == 24


def test_of_what_stands_beside_the_systems_only_the_whole_is_kept(world):
    source = rows_behind(world.study, {"system": "Source", "metric": "pinc"})
    assert (source.value, source.many, source.is_mean) == (0, 0, False)
    assert source.rows[0].score is None
    assert source.rows[0].output == source.rows[0].source


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({}, "Name the metric or the criterion"),
        ({"system": "Good", "metric": "bleu", "criterion": "fluency"}, "Name the metric or the criterion"),
        ({"system": "Good", "metric": "blue"}, "There is no metric 'blue'"),
        ({"system": "Good", "metric": "sari"}, "This metric has no scores"),
        ({"system": "\0", "metric": "bleu"}, "There is no system"),
        ({"system": "Good", "criterion": "taste"}, "Nobody judged 'taste'"),
        ({"system": "Good", "criterion": "fluency", "variant": "y"}, "Expected one of raw, z, filtered"),
        ({"system": "Good", "metric": "bleu", "variant": "y"}, "Expected one of raw, z, filtered"),
        ({"system": "Good", "criterion": "fluency", "direction": "2"}, "There is no such direction"),
        ({"system": "Good", "metric": "bleu", "by": "length", "low": "x"}, "Expected a number"),
    ],
)
def test_what_is_not_there_is_said(world, asked, sentence):
    with pytest.raises(UserError, match=sentence):
        rows_behind(world.study, asked)


@pytest.fixture
def reader(world, client):
    client.force_login(world.lead)
    return client


def test_every_table_and_figure_has_a_page_or_says_what_is_lacking(world, reader):
    listed = reader.get("/studies/mail/report/tables/").content.decode()
    for name, stored in world.report.tables_and_figures.items():
        made = stored["made"]
        assert (f"/studies/mail/report/tables/{name}/" in listed) == (stored["is"] != "lacking")
        page = reader.get(f"/studies/mail/report/tables/{name}/")
        assert page.status_code == 200
        for note in made.get("notes", []):
            assert escape(note) in page.content.decode(), name
        for reason in made.get("reasons", []):
            assert escape(reason) in listed
    table = reader.get("/studies/mail/report/tables/gyafc_table_4/").content.decode()
    assert "Table 4 of Rao and Tetreault (2018)" in table
    assert 'href="/studies/mail/report/rows/?system=Good&amp;criterion=formality' in table
    assert reader.get("/studies/mail/report/tables/nothing/").status_code == 404


@pytest.mark.parametrize(("name", "forms"), [
    ("leaderboard", ["csv", "json", "latex", "markdown"]),
    ("by_length", ["csv", "json", "latex", "markdown", "svg", "png"]),
])  # fmt: skip
def test_page_and_endpoint_give_the_same_files(world, reader, name, forms):
    page = reader.get(f"/studies/mail/report/tables/{name}/").content.decode()
    for form in forms:
        address = f"/studies/mail/report/tables/{name}/{form}/"
        assert address in page
        file, endpoint = reader.get(address), reader.get(f"/api/studies/mail/tables/{name}/?format={form}")
        assert file.status_code == endpoint.status_code == 200
        assert file.content == endpoint.content
        assert f"mail-{name}." in file["Content-Disposition"]


def test_a_file_that_there_is_not_is_a_sentence(world, reader):
    page = reader.get("/studies/mail/report/tables/leaderboard/png/")
    assert page.status_code == 404
    assert "A table has no format PNG." in page.content.decode()
    lacking = next(name for name, one in world.report.tables_and_figures.items() if one["is"] == "lacking")
    assert "The study does not give" in reader.get(f"/studies/mail/report/tables/{lacking}/csv/").content.decode()
    api = "/api/studies/mail/tables"
    assert reader.get(f"{api}/leaderboard/?format=png").json() == {"detail": "A table has no format PNG."}
    assert reader.get(f"{api}/leaderboard/?format=docx").status_code == 400
    none = reader.get(f"{api}/leaderbord/")
    assert (none.status_code, none.json()["detail"]) == (
        404, "The report has no table 'leaderbord'; did you mean leaderboard, leaderboard_figure?"
    )  # fmt: skip


def test_the_api_lists_them_and_gives_the_rows(world, reader):
    listed = reader.get("/api/studies/mail/tables/").json()
    assert [one["name"] for one in listed] != sorted(one["name"] for one in listed)
    assert {one["made"] for one in listed} == {"table", "figure", "lacking"}
    assert all(bool(one["reasons"]) == (one["made"] == "lacking") for one in listed)
    asked = {"system": "Good", "criterion": "fluency", "page_size": 2}
    found = reader.get("/api/studies/mail/rows/", asked).json()
    assert (found["count"], len(found["results"]), found["is_mean"]) == (12, 2, True)
    assert found["value"] == pytest.approx(rows_behind(world.study, asked | {"page_size": ""}).value)
    assert len(found["results"][0]["judgements"]) == 4
    assert reader.get("/api/studies/mail/rows/").json() == {
        "detail": "Name the metric or the criterion of the number."
    }  # fmt: skip


def test_the_page_of_rows_says_how_they_add_up(world, reader):
    address = "/studies/mail/report/rows/"
    assert reader.get(address).status_code == 200
    mean = reader.get(address, {"system": "Good", "criterion": "fluency"}).content.decode()
    assert "This number is the mean of 48 judgements of 12 outputs; each judgement counts once." in mean
    whole = reader.get(address, {"system": "Good", "metric": "bleu"})
    assert "is not a mean" in whole.content.decode()
    part = reader.get(address, {"system": "Good", "metric": "bleu"}, headers={"HX-Request": "true"}).content.decode()
    assert "<html" not in part
    assert part.count('dir="auto">Hello to you.') <= 1
    assert "?system=Good&amp;metric=bleu" in part, "and leads to all of them"
    wrong = reader.get(address, {"system": "Good", "metric": "blue"})
    assert (wrong.status_code, "There is no metric" in wrong.content.decode()) == (422, True)


def test_whom_the_study_bars_from_its_texts_sees_neither_tables_nor_rows(world, reader):
    with transaction.atomic():
        Study.objects.filter(pk=world.study.pk).update(required_credentials=["mimic-iii"])
        for path in ("tables/", "tables/leaderboard/", "tables/leaderboard/csv/", "rows/?system=Good&metric=bleu"):
            answer = reader.get(f"/studies/mail/report/{path}")
            assert (answer.status_code, "/terms/" in answer["Location"]) == (302, True)
        assert reader.get("/api/studies/mail/rows/?system=Good&metric=bleu").status_code == 403
        transaction.set_rollback(True)


def test_pages_ask_the_database_little(world, reader):
    for path, most in (("tables/", 12), ("tables/leaderboard/", 12), ("rows/?system=Good&metric=bleu", 24)):
        reader.get(f"/studies/mail/report/{path}")
        with CaptureQueriesContext(connection) as asked:
            assert reader.get(f"/studies/mail/report/{path}").status_code == 200
        assert len(asked) <= most, "\n".join(query["sql"] for query in asked)


def test_a_report_from_before_there_were_tables_leads_on(world, reader):
    with transaction.atomic():
        Report.objects.filter(study=world.study).update(tables="{}")
        listed = reader.get("/studies/mail/report/tables/").content.decode()
        assert "No tables yet" in listed
        assert reader.get("/studies/mail/report/tables/leaderboard/").status_code == 404
        transaction.set_rollback(True)


def test_the_command_writes_one_table(world, tmp_path, capsys):
    call_command("report", "mail", table="leaderboard", format="markdown")
    assert capsys.readouterr().out.startswith("## Leaderboard\n")
    call_command("report", "mail", table="by_length", format="png", to=tmp_path / "a.png")
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
    for given, sentence in [
        ({"table": "gyafc_table4"}, "did you mean gyafc_table_4"),
        ({"table": "by_length", "format": "png"}, "name it with --to"),
        ({"table": "leaderboard", "format": "svg"}, "A table has no format SVG"),
        ({"format": "svg"}, "A report has no format SVG"),
        ({"table": "leaderboard", "to": tmp_path / "no" / "a.json"}, "cannot be written"),
    ]:
        with pytest.raises(CommandError, match=sentence):
            call_command("report", "mail", **given)
