"""Formats of documents: their shapes, and hostile input, which is one sentence with its line."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpora.formats import FORMATS, DocumentFormat, RawDocument, RawQuestion, RawSection, TextFile, names_of
from foundation.errors import UserError


def read(name, content, options=None, file="f"):
    data = content if isinstance(content, bytes) else content.encode()
    return list(FORMATS[name].documents(TextFile(data, file, limit=10_000_000), options))


def test_the_formats_of_documents():
    assert names_of(DocumentFormat) == [
        "documents_csv", "documents_jsonl", "noteevents", "plain_documents", "pubmed_xml", "sentence_lines",
    ]  # fmt: skip


def test_jsonl_has_everything_a_document_can_have():
    entry = {
        "style": "expert", "code": 123, "title": "T", "topic": "lungs", "domain": "d", "codes": ["511.9"],
        "question": {"code": "1", "text": "Why?", "type": "A", "focus": "f", "kind": "k"},
        "sections": [{"title": "Aim", "text": "A. B."},
                     {"sentences": ["One.", "Two."], "translations": ["Eins.", "Zwei."]}],
    }  # fmt: skip
    assert read("documents_jsonl", "\n" + json.dumps(entry) + "\n") == [
        RawDocument(
            (RawSection("Aim", "A. B."), RawSection("", ("One.", "Two."), ("Eins.", "Zwei."))),
            "expert", "123", "T", "lungs", "d", ("511.9",), RawQuestion("1", "Why?", "A", "f", "k"), 2,
        )
    ]  # fmt: skip
    assert read("documents_jsonl", '{"text": "A."}\n{"sentences": ["B."]}')[1].sections == (RawSection("", ("B.",)),)


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("{", "f, line 2: this is not JSON"),
        ("[]", "f, line 2: a JSON object was expected"),
        ("{}", "'sections' was expected"),
        ('{"text": "A.", "sections": []}', "exclude each other"),
        ('{"sections": [1]}', "a list of objects"),
        ('{"sections": [{"title": "A"}]}', "either 'text' or 'sentences'"),
        ('{"text": "A.", "titel": "B"}', "did you mean title?"),
        ('{"text": ["A."]}', "a text was expected for 'text'"),
        ('{"sentences": ["A.", null]}', "a list of texts was expected for 'sentences'"),
        ('{"sentences": ["A."], "translations": []}', "0 translations for 1 sentences"),
        ('{"text": "A.", "translations": ["B."]}', "'translations' go with 'sentences'"),
        ('{"text": "A.", "question": {}}', "the question has no 'code'"),
        ('{"text": "A.", "question": "1"}', "an object was expected for 'question'"),
        ('{"text": "A\\u0000"}', "a text was expected for 'text'"),
        ('{"text": true}', "a text was expected for 'text'"),
        ("[" * 100_000, "this is not JSON"),
    ],
)
def test_jsonl_says_line_and_fault(line, sentence):
    with pytest.raises(UserError) as told:
        read("documents_jsonl", '{"text": "A."}\n' + line)
    assert sentence in str(told.value)
    assert "line 2" in str(told.value)


def test_csv_by_document_section_and_sentence():
    table = "Code,Style,codes,question,question_text,Text\n7,expert,511.9; 1,q,Why?,A. B.\n,,,,,C.\n"
    first, second = read("documents_csv", table)
    assert first == RawDocument((RawSection("", "A. B."),), style="expert", code="7", codes=("511.9", "1"),
                                question=RawQuestion("q", "Why?"), line=2)  # fmt: skip
    assert (second.code, second.sections) == ("", (RawSection("", "C."),))
    sentences = "code,section,sentence,translation\n7,Aim,A.,Ä.\n7,Aim,B.,\n7,End,C.,\n8,End,D.,\n"
    first, second = read("documents_csv", sentences)
    assert first.sections == (RawSection("Aim", ("A.", "B."), ("Ä.", "")), RawSection("End", ("C.",)))
    assert second.code == "8"


@pytest.mark.parametrize(
    ("table", "sentence"),
    [
        ("", "none"),
        ("code,txt\n1,A.\n", "did you mean text?"),
        ("code\n1\n", "a column 'text' or a column 'sentence'"),
        ("text,sentence\nA.,B.\n", "and not both"),
        ("text,text\nA.,B.\n", "2 times"),
        ('text\n"A.\n', "never closed"),
        ("text\nA.,B.\n", "2 cells and the header 1"),
        ("text,question_text\nA.,Why?\n", "the question has no code"),
        ("text,translation\nA.,B.\n", "a translation belongs to a sentence"),
    ],
)
def test_csv_says_what_is_wrong(table, sentence):
    if not table:
        assert read("documents_csv", table) == []
        return
    with pytest.raises(UserError) as told:
        read("documents_csv", table)
    assert sentence in str(told.value)


NOTE = "Admission Date: [**2101-1-1**]\n\nHistory of Present Illness:\nPt is a 70 yo M.\n\nSocial History:\nNone.\n\n" \
       "Brief Hospital Course:\nHe did well.\n"  # fmt: skip


def test_noteevents_takes_the_three_sections_of_discharge_summaries():
    rows = [("1", "Discharge summary", "", NOTE), ("2", "Nursing", "", NOTE), ("3", "Discharge summary", "1", NOTE),
            ("4", "Discharge summary ", "", "Nothing of it.")]  # fmt: skip
    table = "ROW_ID,SUBJECT_ID,CATEGORY,ISERROR,TEXT\n" + "".join(f'{i},9,{c},{e},"{t}"\n' for i, c, e, t in rows)
    first, empty = read("noteevents", table)
    assert (first.code, first.title) == ("1", "Discharge summary")
    assert [part.title for part in first.sections] == ["History of present illness", "Brief hospital course"]
    assert first.sections[1].text == "He did well."
    assert (empty.code, empty.sections) == ("4", ())
    assert [one.code for one in read("noteevents", table, {"category": "nursing"})] == ["2"]
    assert len(read("noteevents", table, {"category": ""})) == 3
    with pytest.raises(UserError, match="the header has no column 'CATEGORY'"):
        read("noteevents", "ROW_ID,TEXT\n")
    with pytest.raises(UserError, match="has no option 'categori'"):
        read("noteevents", table, {"categori": "x"})


ARTICLE = """<?xml version="1.0"?>
<!DOCTYPE PubmedArticleSet PUBLIC "-//NLM//DTD PubMedArticle, 1st January 2024//EN" "https://dtd.example/pubmed.dtd">
<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID Version="1">123</PMID><Article>
<ArticleTitle>Fluid &amp; <i>lungs</i>.</ArticleTitle>
<Abstract><AbstractText Label="AIM">To see  H<sub>2</sub>O.</AbstractText>
<AbstractText>It worked.</AbstractText></Abstract>
</Article><OtherAbstract><AbstractText>Autre.</AbstractText></OtherAbstract>
<CommentsCorrectionsList><CommentsCorrections><PMID>999</PMID></CommentsCorrections></CommentsCorrectionsList>
</MedlineCitation></PubmedArticle><PubmedArticle><MedlineCitation><PMID>124</PMID></MedlineCitation></PubmedArticle>
</PubmedArticleSet>"""


def test_pubmed_gives_pmid_title_and_labelled_parts():
    first, second = read("pubmed_xml", ARTICLE)
    assert first == RawDocument(
        (RawSection("AIM", "To see H2O."), RawSection("", "It worked.")), code="123", title="Fluid & lungs.", line=3
    )
    assert (second.code, second.sections) == ("124", ())


BOMB = '<!DOCTYPE b [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><PubmedArticleSet>&b;</PubmedArticleSet>'
OUTSIDE = '<!DOCTYPE b [<!ENTITY a SYSTEM "file:///etc/passwd">]><PubmedArticleSet>&a;</PubmedArticleSet>'
PARAMETER = '<!DOCTYPE b [<!ENTITY % a SYSTEM "http://localhost/x"> %a;]><PubmedArticleSet/>'


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (BOMB, "line 1: the file declares the entity 'a'"),
        (OUTSIDE, "declares the entity 'a'"),
        (PARAMETER, "declares the entity 'a'"),
        ("<a>" * 300, "more than 200 deep"),
        ("<PubmedArticleSet><PubmedArticle></PubmedArticleSet>", "not well-formed XML: mismatched tag"),
        ("", "no element found"),
        ("<html></html>", "the file has no PubmedArticle"),
        (b"\xff\xfe\x00<", "not well-formed XML"),
        (b"%PDF-1.7", "not well-formed XML"),
    ],
)  # fmt: skip
def test_pubmed_refuses_what_is_dangerous_or_no_xml(content, sentence):
    with pytest.raises(UserError) as told:
        read("pubmed_xml", content)
    assert sentence in str(told.value)


def test_plain_documents_have_headings_and_paragraphs():
    text = "First line\ngoes on.\n\n# Symptoms\nPain.\n\n\nFever.\n"
    assert read("plain_documents", text, file="Pleural effusion.txt") == [
        RawDocument(
            (RawSection("", "First line goes on."), RawSection("Symptoms", "Pain."), RawSection("Symptoms", "Fever.")),
            title="Pleural effusion",
        )
    ]


def test_lines_are_sentences_as_they_are():
    (only,) = read("sentence_lines", "u ok? sure.\n\n 2 \n", file="a.txt")
    assert only.sections == (RawSection("", ("u ok? sure.", "2")),)


TEXT = st.text(st.characters(blacklist_categories=("Cs",), blacklist_characters="\0"), max_size=20)


@given(st.lists(st.lists(TEXT, min_size=1, max_size=4), max_size=4))
def test_whatever_is_written_as_jsonl_is_read(documents):
    content = "".join(json.dumps({"sentences": document}) + "\n" for document in documents)
    found = [one.sections[0].text for one in read("documents_jsonl", content)]
    assert found == [tuple(text.strip() for text in document) for document in documents]


@pytest.mark.parametrize("name", ["documents_csv", "documents_jsonl", "noteevents", "pubmed_xml", "plain_documents"])
@given(content=st.binary(max_size=300) | st.text(max_size=200).map(lambda text: text.encode("utf-8", "replace")))
def test_whatever_comes_is_documents_or_one_sentence(name, content):
    try:
        documents = read(name, content)
    except UserError as error:
        assert str(error).endswith((".", "?"))  # noqa: PT017
    else:
        assert all(isinstance(document, RawDocument) for document in documents)
