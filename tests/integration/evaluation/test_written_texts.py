"""Texts that people wrote in five tools, or in any table, come in as gold with their authors and times."""

import json
from datetime import UTC, datetime

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from support import campaigns
from support.clients import as_person, with_token
from support.kinds_of_tables.texts import json_lines
from support.tool_projects import source_of
from support.workbooks import zipped

from accounts.permissions import Role
from annotation.actions.make_release import make_release
from corpora.formats import TextFile
from corpora.models import Reference
from corpora.table_import.column_mapping import map_columns
from corpora.table_import.targets import TARGETS
from corpora.table_parser import understand
from evaluation.written_texts import guess, plan
from foundation.errors import UserError

pytestmark = pytest.mark.django_db
PEOPLE = ("ann@lab.example", "bob")
AT = "2026-05-02T10:00:00Z"


def wrote(person, number):
    return f"You should see number {number}, says {person[:3]}."


def label_studio():
    def task(number):
        results = {person: [
            {"id": "t", "from_name": "rewrite", "to_name": "text", "type": "textarea",
             "value": {"text": [wrote(person, number)]}},
            {"id": "r", "from_name": "ease", "to_name": "text", "type": "rating", "value": {"rating": 4}},
        ] for person in PEOPLE}  # fmt: skip
        annotations = [{"id": number, "result": result, "was_cancelled": False, "created_at": AT,
                        "completed_by": {"id": 1, "email": person}} for person, result in results.items()]  # fmt: skip
        return {"id": number, "data": {"source": source_of(number)}, "annotations": annotations}

    return json.dumps([task(1), task(2)]).encode(), "project.json"


def argilla():
    def record(number):
        said = [{"value": wrote(person, number), "user_id": person, "status": "submitted"} for person in PEOPLE]
        return {"id": f"r{number}", "fields": {"source": source_of(number)}, "metadata": {}, "suggestions": {},
                "responses": {"rewrite": said}, "vectors": {}, "status": "completed"}  # fmt: skip

    return json.dumps([record(1), record(2)]).encode(), "records.json"


def doccano():
    def lines(person):
        return json_lines(*({"id": n, "text": source_of(n), "label": [wrote(person, n)], "Comments": []}
                            for n in (1, 2)))  # fmt: skip

    return zipped({f"{person}.jsonl": lines(person) for person in PEOPLE}), "project.zip"


def potato():
    def state(person):
        said = {str(n): [[{"schema": "rewrite", "name": "text_box"}, wrote(person, n)]] for n in (1, 2)}
        return json.dumps({"user_id": person, "instance_id_ordering": ["1", "2"], "instance_id_to_label_to_value": said,
                           "instance_id_to_span_to_value": {}}, indent=2)  # fmt: skip

    return zipped({f"annotation_output/{person}/user_state.json": state(person) for person in PEOPLE}), "potato.zip"


def inception():
    def document(person):
        lines, offset = ["#FORMAT=WebAnno TSV 3.3", "#T_SP=webanno.custom.Rewrite|value", "", ""], 0
        for number in (1, 2):
            text, place = source_of(number), 0
            lines.append(f"#Text={text}")
            for order, word in enumerate(text.split(" "), 1):
                begin = offset + place
                lines.append(
                    f"{number}-{order}\t{begin}-{begin + len(word)}\t{word}\t{wrote(person, number)}[{number}]\t"
                )
                place += len(word) + 1
            lines.append("")
            offset += len(text) + 1
        return "\n".join(lines) + "\n"

    return zipped({f"annotation/texts.txt/{person}.tsv": document(person) for person in PEOPLE}), "inception.zip"


def csv():
    rows = "".join(f'"{source_of(n)}","{wrote(person, n)}",{person},{AT}\n' for n in (1, 2) for person in PEOPLE)
    return f"source,rewrite,author,created_at\n{rows}".encode(), "written.csv"


FILES = {one.__name__: one for one in (label_studio, argilla, doccano, potato, inception, csv)}


def mapped(table, study):
    return map_columns(TARGETS["written"].meanings, table, guess(study, table, {}))


def planned(study, content, name, answers=None, **chosen):
    with understand(TextFile(content, name)) as table:
        found = plan(study, table, mapped(table, study), chosen, answers or {})
        found.prepare(None)
        return found


@pytest.mark.parametrize("tool", FILES)
def test_each_text_is_gold_of_its_source_with_its_author_and_time(tool):
    study = campaigns.study(items=2)
    found = planned(study, *FILES[tool]())
    assert dict(found.numbers)["Texts that people wrote"] == 4, (found.numbers, found.questions, found.nothing)
    assert not found.open
    assert found.write(None) == "4 texts are imported as gold."
    rows = [json.loads(entry) for entry in study.imported_gold.order_by("place").values_list("entry", flat=True)]
    assert {(row["source"], row["text"]) for row in rows} == {
        (source_of(n), wrote(person, n)) for n in (1, 2) for person in PEOPLE
    }
    authors = {row["text"].rpartition(" ")[2]: row["annotators"] for row in rows}
    assert len({tuple(one) for one in authors.values()}) == 2
    assert not any("lab.example" in json.dumps(row) for row in rows)
    if tool in ("label_studio", "csv"):
        assert {datetime.fromisoformat(row["written_at"]) for row in rows} == {datetime(2026, 5, 2, 10, tzinfo=UTC)}
    sentences = study.directions.get().sentences
    assert sentences.count() == 2  # no source came twice
    assert Reference.objects.filter(sentence__in=sentences.all()).count() == 4
    release = make_release(study=study, settings={"forms": ["jsonl"], "from": "imported"})
    assert release.counts["rows"] == 4


def test_texts_without_an_author_or_a_source_are_asked_about_and_those_of_a_release_refused():
    study = campaigns.study(items=2)
    table = f"source,rewrite,author\n{source_of(1)},A text of nobody.,\n,A text of nothing.,ann\n".encode()
    found = planned(study, table.replace(b" , u", b" u"), "odd.csv")
    (asked,) = found.open
    assert asked.name == "unusable"
    assert "it does not say who wrote it" in asked.sentence
    assert "it has no source" in asked.sentence
    assert planned(study, table.replace(b" , u", b" u"), "odd.csv", {"unusable": "leave_out"}).nothing
    campaign, person = campaigns.campaign(study), campaigns.person(study=study)
    campaigns.hand_in(campaign, person, campaigns.held(campaign, person))
    make_release(study=study, settings={"forms": ["jsonl"]})
    with pytest.raises(UserError, match="has a release"):
        planned(study, *csv())


def test_the_page_and_the_api_bring_them_in():
    study = campaigns.study(items=2)
    lead = campaigns.person(Role.RESEARCHER, study)
    content, name = label_studio()
    told = with_token(lead).post(
        f"/api/studies/{study.slug}/import/",
        {"target": "written", "file": SimpleUploadedFile(name, content), "dry_run": True},
    )
    assert told.status_code in (200, 201), told.content
    assert {column: meaning for column, meaning in told.json()["mapping"].items() if meaning} == {
        "data.source": "source"
    }
    assert not study.imported_gold.exists()
    told = with_token(lead).post(
        f"/api/studies/{study.slug}/import/",
        {"target": "written", "file": SimpleUploadedFile(name, content), "mapping": json.dumps(told.json()["mapping"])},
    )
    assert told.status_code in (200, 201), told.content
    assert told.json()["brought"] == "4 texts are imported as gold.", told.json()


def test_the_wizard_asks_which_question_and_leads_to_the_gold():
    study = campaigns.study(items=2)
    browser = as_person(campaigns.person(Role.RESEARCHER, study))
    start = f"{reverse('table_new', args=[study.slug])}?target=written"
    assert start in browser.get(reverse("study_gold", args=[study.slug])).content.decode()
    content, name = label_studio()
    two = content.replace(b'"ease"', b'"why"').replace(b'"type": "rating"', b'"type": "textarea"')
    two = two.replace(b'{"rating": 4}', b'{"text": ["Because it was much too short."]}')
    browser.post(start, {"target": "written", "file": SimpleUploadedFile(name, two)})
    address = reverse("table", args=[study.slug, study.uploads.get().pk])
    page = browser.get(address)
    (asked,) = page.context["plan"].open
    assert (asked.name, [value for value, _ in asked.choices]) == ("question", ["all", "rewrite", "why"])
    given = {"target": "written", **page.context["reading"], "answer-question": "rewrite", "act": "bring"}
    for one in page.context["columns"]:
        given |= {f"meaning-{one['place']}": one["meaning"], f"name-{one['place']}": one["name"]}
    for one in page.context["settings"]:
        given[f"set-{one['setting'].name}"] = one["value"]
    done = browser.post(address, given)
    assert done["Location"] == reverse("study_gold", args=[study.slug])
    assert study.imported_gold.count() == 4
