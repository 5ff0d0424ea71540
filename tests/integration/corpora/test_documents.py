"""Documents in: split, flagged, held, copied; all or nothing."""

import json
from io import StringIO

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from corpora.actions.add_documents import add_documents
from corpora.actions.decide_flags import decide_flags, masked
from corpora.formats import RawDocument, RawQuestion, RawSection
from corpora.models import Document, DocumentSentence, Study
from foundation.errors import UserError


@pytest.fixture
def study(db):
    return Study.objects.create(slug="msd", title="MSD", styles=["expert", "lay"])


def raw(text, *, code="", title="", section="", **fields):
    return RawDocument((RawSection(section, text),), code=code, title=title, **fields)


def test_sentences_stand_in_order_with_their_sections(study):
    abstract = RawDocument(
        (
            RawSection("Aim", "Pts got 2.5 mg b.i.d. of it. They recovered."),
            RawSection("", ("One.", "Two."), ("Eins.", "Zwei.")),
        ),
        code="123", title="A trial", codes=("511.9",), question=RawQuestion("1", "What is it?", "A"),
    )  # fmt: skip
    added = add_documents(study=study, documents=[abstract], style="expert", origin="a.jsonl")
    assert (added.documents, added.sentences, added.held, added.empty) == (1, 4, 0, 0)
    document = study.documents.get()
    assert (document.number, document.style, document.codes, document.origin) == (1, "expert", ["511.9"], "a.jsonl")
    assert (document.question.code, document.question.text, document.question.type) == ("1", "What is it?", "A")
    rows = document.sentences.values_list("number", "section", "text", "translation")
    assert list(rows) == [
        (1, "Aim", "Pts got 2.5 mg b.i.d. of it.", ""), (2, "Aim", "They recovered.", ""),
        (3, "", "One.", "Eins."), (4, "", "Two.", "Zwei."),
    ]  # fmt: skip


def test_numbers_go_on_and_questions_are_made_once(study):
    for code in ("1", "2"):
        add_documents(
            study=study, documents=[raw("A text.", code=code, question=RawQuestion("q", "Why?"))], style="expert"
        )
    assert list(study.documents.values_list("number", "code")) == [(1, "1"), (2, "2")]
    assert study.questions.get().documents.count() == 2


@pytest.mark.parametrize("hold", [True, False])
def test_likely_identifiers_are_flagged_and_held(study, hold):
    text = "Dr. Karen Smith called on 12/03/2019. She was well."
    added = add_documents(study=study, documents=[raw(text)], style="expert", hold_flagged=hold)
    first, second = DocumentSentence.objects.order_by("number")
    assert {flag["kind"] for flag in first.flags} >= {"name", "date"}
    assert (first.held, second.held, added.held) == (hold, False, int(hold))
    assert second.flags == []


@pytest.mark.parametrize(
    ("documents", "sentence"),
    [
        ([raw("A.", code="7", line=1), raw("B.", code="7", line=2)], "f.csv, line 2: the code '7' occurs twice"),
        ([raw("A.", code="x" * 101)], "is longer than 100 characters"),
        ([raw("A.", style="rude")], "'rude' is not among the study's styles"),
        ([raw(" ")], "The file has no document with text."),
        ([raw("A.", code="1", question=RawQuestion("1", type="AB"))], "question's type"),
    ],
)  # fmt: skip
def test_what_is_wrong_brings_nothing_in(study, documents, sentence):
    with pytest.raises(UserError, match=sentence.replace("[", r"\[")):
        add_documents(study=study, documents=[raw("Fine.", code="0"), *documents][-len(documents) :], style="expert",
                      origin="f.csv")  # fmt: skip
    assert not Document.objects.exists()
    assert not study.questions.exists()


def test_a_code_that_is_there_is_refused_and_another_style_may_have_it(study):
    add_documents(study=study, documents=[raw("A.", code="1")], style="expert")
    with pytest.raises(UserError, match="The study has these documents already: 1"):
        add_documents(study=study, documents=[raw("B.", code="2"), raw("A.", code="1")], style="expert")
    add_documents(study=study, documents=[raw("A.", code="1")], style="lay")
    assert study.documents.count() == 2


def test_decisions_on_flags(study):
    texts = [f"Call 555-123-45{n}7 or write to a{n}@example.org." for n in range(3)] + ["Nothing here."]
    add_documents(study=study, documents=[raw(tuple(texts))], style="expert")
    rows = list(DocumentSentence.objects.order_by("number"))
    assert decide_flags(study=study, sentences=[rows[0]], decision="clear") == 1
    assert decide_flags(study=study, sentences=rows[1:2], decision="mask") == 1
    assert decide_flags(study=study, sentences=rows[2:], decision="drop") == 1
    assert decide_flags(study=study, sentences=rows, decision="drop") == 0, "what is decided is not held"
    rows = list(DocumentSentence.objects.order_by("number"))
    assert [(row.held, row.dropped) for row in rows] == [(False, False), (False, False), (False, True), (False, False)]
    assert rows[0].text == texts[0]
    assert "[**Email**]" in rows[1].text
    assert "@" not in rows[1].text
    assert rows[1].flags == []
    with pytest.raises(UserError, match="is not a decision"):
        decide_flags(study=study, sentences=rows, decision="ignore")


def test_masks_of_flags_that_overlap_are_one():
    flags = [{"start": 2, "end": 5, "kind": "number"}, {"start": 4, "end": 8, "kind": "date"}]
    assert masked("a bcdefgh i", flags) == "a [**Number**]h i"


def test_a_mask_leaves_no_part_of_a_name_that_was_flagged_before_names_had_accents():
    assert masked("El Dr. García vino.", [{"start": 7, "end": 11, "kind": "name"}]) == "El Dr. [**Name**] vino."


def test_the_command_brings_a_file_in(study, tmp_path):
    file = tmp_path / "a.jsonl"
    file.write_text(json.dumps({"code": 1, "text": "One. Two."}) + "\n", encoding="utf-8")
    out = StringIO()
    call_command("import_documents", "msd", str(file), style="lay", stdout=out)
    assert "1 documents with 2 sentences are in" in out.getvalue()
    with pytest.raises(CommandError, match="already"):
        call_command("import_documents", "msd", str(file), style="lay", stdout=out)
    with pytest.raises(CommandError, match="There is no study 'no'"):
        call_command("import_documents", "no", str(file))


def test_texts_are_split_by_the_language_of_the_study(study):
    study.language = "es"
    study.save()
    text = "Los orales (ACOD), p. ej. apixabán, van bien. MÉTODOS: Se vio."
    add_documents(study=study, style="expert", documents=[RawDocument((RawSection("", text),))])
    texts = DocumentSentence.objects.filter(document__study=study).order_by("number").values_list("text", flat=True)
    assert list(texts) == ["Los orales (ACOD), p. ej. apixabán, van bien.", "MÉTODOS: Se vio."]
