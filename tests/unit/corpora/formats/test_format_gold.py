"""Gold of every kind: what is written comes back, in each form that can hold it."""

import csv
import io
import itertools
import json
from collections import namedtuple
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpora.formats import FORMATS, GoldFormat, GoldRow, TextFile, names_of
from corpora.formats.gyafc import read_zip
from corpora.gold_records import bracketed, concepts_of, segments
from foundation.errors import UserError

TEXT = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=20)
WORDS = st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=12)
SENTENCE = st.lists(WORDS, min_size=1, max_size=6).map(" ".join)
WORD = st.text("abcdef", min_size=1, max_size=5)
SEGMENT = st.fixed_dictionaries({"text": SENTENCE, "full": st.just("") | WORD})
NAMES = st.lists(st.text("0123456789abcdef", min_size=4, max_size=4), max_size=3).map(tuple)


def rows(product):
    return st.lists(
        st.builds(
            GoldRow, kind=product.map(lambda one: one["kind"]), source_id=SENTENCE, source_style=WORD,
            target_style=WORD, product=product, split=st.sampled_from(["train", "tune", "test"]), domain=TEXT,
            annotators=NAMES, written_at=st.none() | st.datetimes(timezones=st.just(UTC)), guideline_version=TEXT,
            revision=st.integers(1, 9), campaign=TEXT, study=TEXT, license=TEXT,
            extra=st.just({}) | st.fixed_dictionaries({"concepts": st.just({"source": []})}),
        ).map(lambda row: replace(row, kind=row.product["kind"])),
        max_size=4,
    )  # fmt: skip


REWRITE = st.fixed_dictionaries({"kind": st.just("rewrite"), "source": TEXT, "text": TEXT})
SCREENING = st.fixed_dictionaries({"kind": st.just("screening"), "chosen": st.booleans(), "documents": st.just({})})
TWO_STEP = st.fixed_dictionaries(
    {
        "kind": st.just("two_step"), "source": SENTENCE, "rephrased": st.lists(SEGMENT, min_size=1, max_size=3),
        "simplified": SENTENCE, "rephrased_addressed": st.lists(SEGMENT, min_size=1, max_size=3),
        "simplified_addressed": SENTENCE, "unchanged": st.booleans(), "final": st.booleans(),
    }
)  # fmt: skip


@pytest.mark.parametrize("form", ["gold", "gold_csv", "parquet"])
@given(rows=rows(REWRITE | SCREENING | TWO_STEP))
def test_gold_of_every_kind_comes_back(form, rows):
    written = b"".join(FORMATS[form].write(rows))
    again = list(FORMATS[form].read(TextFile(written, "gold"), ("", ""), ""))
    assert again == rows
    assert b"".join(FORMATS[form].write(again)) == written


@given(st.lists(TWO_STEP, min_size=1, max_size=4))
def test_medlane_written_read_and_written_is_the_same(products):
    rows = [GoldRow("two_step", str(n), "a", "b", product) for n, product in enumerate(products)]
    written = b"".join(FORMATS["medlane"].write(rows))
    again = list(FORMATS["medlane"].read(TextFile(written, "m.txt"), ("a", "b"), "test"))
    assert [row.product["simplified"] for row in again] == [product["simplified"] for product in products]
    assert b"".join(FORMATS["medlane"].write(again)) == written


@given(SENTENCE)
def test_segments_join_to_their_text(text):
    assert bracketed(segments(text)) == text


@given(st.lists(st.tuples(SENTENCE, SENTENCE), min_size=1, max_size=4))
def test_msd_written_read_and_written_is_the_same(pairs):
    rows = [
        GoldRow("pair", str(n), "expert", "layman", {"kind": "pair", "source": [one], "target": [two]})
        for n, (one, two) in enumerate(pairs)
    ]
    written = b"".join(FORMATS["msd"].write(rows))
    again = list(FORMATS["msd"].read(TextFile(written, "test.txt"), ("expert", "layman"), "test"))
    assert [(row.product["source"], row.product["target"]) for row in again] == [([a], [b]) for a, b in pairs]
    assert b"".join(FORMATS["msd"].write(again)) == written


def adaptation(question, code, *targets):
    sentences = [
        {"number": n, "text": f"Sentence {n}.", "operation": "split", "targets": list(some), "reason": ""}
        for n, some in enumerate(targets, 1)
    ]
    product = {
        "kind": "adaptation", "title": "T", "code": code, "sentences": sentences,
        "question": {"code": question, "text": f"Question {question}?", "type": "B"},
    }  # fmt: skip
    return GoldRow("adaptation", f"{question}-{code}", "expert", "layman", product)


def test_plaba_joins_what_a_sentence_became_and_numbers_the_adaptations():
    rows = [adaptation("7", "11", ["One.", "Two."], []), adaptation("7", "11", ["Three."], ["Four."])]
    whole = json.loads(b"".join(FORMATS["plaba"].write(rows)))
    assert whole == {
        "7": {
            "question": "Question 7?", "question_type": "B",
            "11": {
                "abstract": {"1": "Sentence 1.", "2": "Sentence 2."},
                "adaptations": {
                    "adaptation1": {"1": "One. Two.", "2": ""}, "adaptation2": {"1": "Three.", "2": "Four."},
                },
            },
        }
    }  # fmt: skip
    assert json.loads(b"".join(FORMATS["plaba"].write([]))) == {}


def test_plaba_wants_a_question_and_an_abstract_together():
    apart = [adaptation("7", "11", []), adaptation("8", "12", []), adaptation("7", "13", [])]
    with pytest.raises(UserError, match="question '7' do not stand together"):
        list(FORMATS["plaba"].write(apart))
    with pytest.raises(UserError, match="'11' do not stand together"):
        list(FORMATS["plaba"].write([adaptation("7", "11", []), adaptation("7", "12", []), adaptation("7", "11", [])]))


def test_the_way_back_has_the_original_as_its_last_reference():
    product = {"kind": "rewrite", "source": "I must see you.", "original": "gotta see u"}
    rows = [
        GoldRow("rewrite", "1-back", "formal", "informal", {**product, "text": text}, "test", "Music")
        for text in ("gotta meet", "must see ya", "c u")
    ]
    archive = io.BytesIO(b"".join(FORMATS["gyafc"].write(rows)))
    (item,) = read_zip(archive, "gyafc.zip")
    assert (item.source_style, item.source) == ("formal", "I must see you.")
    assert item.references == ("gotta meet", "must see ya", "c u", "gotta see u")


def test_concepts_are_placed_by_their_words():
    mention = namedtuple("mention", "start end term cui")
    text = "The left heart failure, it ends."
    found = concepts_of(text, [mention(9, 22, "heart failure", "C0018801"), mention(0, 3, "the", "C1")])
    assert [one["range"] for one in found] == [[2, 3], [0, 0]]
    assert found[0]["cui"] == ["C0018801"]


@pytest.mark.parametrize(
    ("form", "data", "sentence"),
    [
        ("gold", b'{"kind": "rewrite"}\n', "line 1: a text was expected for 'source_id'"),
        ("gold", b'{"kind":"a","source_id":"1","source_style":"a","target_style":"b","split":"x"}', "and not 'x'"),
        ("gold_csv", b"a,b\n", "the header of a table of gold was expected"),
        ("parquet", b"no parquet at all", "not Parquet that can be read"),
        ("msd", b'{"text": "a", "label": 0}\n', "the keys text, label, concepts were expected"),
        ("msd", b'{"text": "a", "label": 0, "concepts": []}\n', "no line that is parallel"),
        ("msd", b'{"text": "a", "label": 2, "concepts": []}\n', "a label is 0 or 1"),
        ("medlane", b"one\ntwo\n\n", "line 1: a source and two or four lines were expected, and not 2"),
        ("plaba", b"[]", "a JSON object was expected"),
        ("plaba", b'{"1": {"9": {"abstract": {"1": "a"}, "adaptations": {"x": {"2": "b"}}}}}', "has no sentence 2"),
    ],
)
def test_what_is_not_of_the_form_is_refused_with_its_place(form, data, sentence):
    with pytest.raises(UserError, match=sentence):
        list(FORMATS[form].read(TextFile(data, "file"), ("expert", "layman"), "test"))


@pytest.mark.parametrize("form", ["msd", "medlane", "plaba", "gyafc"])
def test_a_form_refuses_gold_that_it_cannot_hold(form):
    row = GoldRow("screening", "1", "a", "b", {"kind": "screening"})
    with pytest.raises(UserError, match="'screening'"):
        list(FORMATS[form].write([row]))
    assert not FORMATS[form].holds("screening")


@pytest.mark.parametrize("form", ["gold", "gold_csv", "parquet", "medlane", "msd"])
def test_gold_is_written_in_chunks(form):
    taken = []

    def endless():
        for number in itertools.count():
            taken.append(number)
            if form == "medlane":
                product = {"kind": "two_step", "source": "a", "rephrased": [], "simplified": "b",
                           "rephrased_addressed": [], "simplified_addressed": "c"}  # fmt: skip
                yield GoldRow("two_step", "1", "a", "b", product)
            else:
                yield GoldRow("rewrite", "1", "a", "b", {"kind": "rewrite", "source": "s", "text": "t"})

    next(FORMATS[form].write(endless()))
    assert len(taken) <= 10_000


def test_a_table_shows_source_and_text_and_runs_no_formula():
    product = {"kind": "rewrite", "source": "hi", "text": "=HYPERLINK(1)"}
    row = GoldRow("rewrite", "1", "a", "b", product, written_at=datetime(2026, 1, 31, tzinfo=UTC))
    (line,) = csv.DictReader(io.StringIO(b"".join(FORMATS["gold_csv"].write([row])).decode()))
    assert (line["source"], line["text"]) == ("hi", "'=HYPERLINK(1)")


def test_the_forms_of_gold_are_found_by_their_files():
    assert names_of(GoldFormat) == ["gold", "gold_csv", "gyafc", "medlane", "msd", "parquet", "plaba"]
