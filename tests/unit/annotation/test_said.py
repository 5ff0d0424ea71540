"""Each kind of work tells its answers piece by piece, under the criteria that it names."""

import pytest

from annotation.patient_language import OPERATIONS
from annotation.task_types import TASK_TYPES, Said
from annotation.task_types.verify import VERDICTS
from foundation.errors import UserError

CANDIDATES = {"source": "yo", "references": [], "candidates": ["One.", "Two."], "turn": 0}
SENTENCES = [{"number": 1, "text": "Pain was present."}, {"number": 2, "text": "See above."}]
ALIGNED = {
    "title": "Gout", "element": "", "styles": ["expert", "lay"],
    "source": [{"id": 5, "text": "A."}, {"id": 6, "text": "B."}], "target": [{"id": 7, "text": "a."}],
}  # fmt: skip
REWRITE = {"product": {"kind": "rewrite", "source": "yo", "text": "Hello."}, "task": "rewrite",
           "content": {"source": "yo"}, "settings": {}, "answer": {"text": "Hello."}}  # fmt: skip
SCREENED = {"code": "Q1", "text": "What helps?", "topic": "", "documents": [{"id": 9, "code": "P9", "title": "Ice"}]}
CASES = {
    "rate": (CANDIDATES, {"ratings": [{"fluency": 4, "formality": -2}, {"fluency": 1}]}, [
        Said("fluency", 4, "One.", "", 0), Said("formality", -2, "One.", "", 0), Said("fluency", 1, "Two.", "", 1),
    ]),
    "spans": ({**CANDIDATES, "candidates": ["Two."]}, {
        "marks": [
            {"side": "source", "start": 0, "end": 2, "kind": "", "severity": "Minor", "reason": ""},
            {"side": "output", "start": 0, "end": 3, "kind": "", "severity": "Major", "reason": ""},
        ], "none": False, "ratings": [{"score": 40}],
    }, [
        Said("score", 40, "Two.", "", 0), Said("mqm", -6, "Two.", "", 0), Said("mark", "Minor", "", "yo"),
        Said("mark", "Major", "Two", "", 0),
    ]),
    "terms": ({"source": "The pt."}, {
        "marks": [{"side": "source", "start": 4, "end": 6, "kind": "Substitute", "severity": "", "reason": "patient"}],
        "none": False, "text": "The patient.",
    }, [Said("term", "Substitute", "patient", "pt"), Said("rewrite", "", "The patient.")]),
    "rank": (CANDIDATES, {"ranks": [2, 1]}, [Said("rank", 2, "One.", "", 0), Said("rank", 1, "Two.", "", 1)]),
    "best_worst": (CANDIDATES, {"best": 2, "worst": 1}, [
        Said("best_worst", -1, "One.", "", 0), Said("best_worst", 1, "Two.", "", 1),
    ]),
    "label": ({"source": "yo", "text": "Hello."}, {"labels": ["Punctuation"], "none": False, "note": "An accent."}, [
        Said("Phrasal paraphrase", "no", "Hello."), Said("Punctuation", "yes", "Hello."),
        Said("Expansion of contractions", "no", "Hello."), Said("Capitalization", "no", "Hello."),
        Said("Normalization", "no", "Hello."), Said("note", "", "An accent."),
    ]),
    "rewrite": ({"source": "yo"}, {"text": "Hello."}, [Said("rewrite", "", "Hello.")]),
    "align": (ALIGNED, {"pairs": [{"source": [0, 1], "target": [0]}], "none": False}, [
        Said("pair", "", "a.", "A. B."),
    ]),
    "adapt": ({"title": "Gout", "code": "P1", "question": None, "sentences": SENTENCES}, {"sentences": [
        {"number": 1, "operation": "rewritten", "targets": ["It hurt."], "reason": ""},
        {"number": 2, "operation": "dropped", "targets": [], "reason": "Not needed"},
    ]}, [
        Said("sentence", "rewritten", "It hurt.", "Pain was present."),
        Said("sentence", "dropped", "Not needed", "See above."),
    ]),
    "rephrase_simplify": ({"source": "pt has HTN .", "split": "test"}, {
        "spans": [{"start": 0, "end": 2, "full": "patient"}], "simplified": "high pressure", "unchanged": False,
        "rephrased_addressed": [{"text": "you have HTN .", "full": ""}], "simplified_addressed": "", "final": False,
    }, [
        Said("rephrased", "", "patient has HTN ."), Said("simplified", "", "high pressure"),
        Said("rephrased_addressed", "", "you have HTN ."), Said("unchanged", "no"), Said("final", "no"),
    ]),
    "screen": (SCREENED, {
        "chosen": True, "focus": "gout", "kind": "treatment", "type": "C", "documents": {"9": True},
    }, [
        Said("question", "in"), Said("focus", "gout"), Said("kind", "treatment"), Said("type", "C"),
        Said("abstract", "in", "Ice", "P9"),
    ]),
    "verify": (REWRITE, {"verdict": "redo", "reason": "", "note": "Better.", "answer": {"text": "Good day."}}, [
        Said("decision", "redo"), Said("note", "", "Better."), Said("again", "", "Good day."),
    ]),
}  # fmt: skip


def test_every_kind_of_work_is_tried():
    assert set(CASES) == set(TASK_TYPES.names()), "each kind of work has an answer in CASES, and what it says"


@pytest.mark.parametrize("name", CASES)
def test_an_answer_is_told_piece_by_piece(name):
    content, answer, wanted = CASES[name]
    kind = TASK_TYPES[name]
    settings = kind.check_settings({})
    assert list(kind.said(answer, content, settings)) == wanted
    assert {one.criterion for one in wanted} <= set(kind.asked(settings))


def keys_of(value):
    if isinstance(value, dict):
        return {key for key in value if not key.isdigit()} | {key for one in value.values() for key in keys_of(one)}
    return {key for one in value for key in keys_of(one)} if isinstance(value, list) else set()


@pytest.mark.parametrize("name", CASES)
def test_a_program_reads_how_an_answer_is_given(name):
    said = TASK_TYPES[name].answer_content
    answer = {key: value for key, value in CASES[name][1].items() if key != "answer"}
    for key in keys_of(answer) - {"fluency", "formality"}:
        assert f'"{key}"' in said or f"`{key}`" in said, key
    operations = {"adapt": OPERATIONS, "verify": VERDICTS}.get(name, ())
    assert all(value in said for value in operations)


@pytest.mark.parametrize(
    ("name", "given", "sentence"),
    [
        ("verify", {"verdict": "accepted"}, "Expected one of accept, reject, redo"),
        ("screen", {**CASES["screen"][1], "kind": "cure"}, "Expected one of "),
        ("screen", {**CASES["screen"][1], "documents": {"9": "in"}}, "Expected one of true, false"),
    ],
)
def test_another_value_is_refused_with_those_that_are_allowed(name, given, sentence):
    kind = TASK_TYPES[name]
    settings = kind.check_settings({"kinds": ["treatment"]} if name == "screen" else {})
    with pytest.raises(UserError, match=sentence):
        kind.check(given, CASES[name][0], settings)


def test_a_question_left_out_and_texts_without_pairs_are_told_too():
    screen, align = TASK_TYPES["screen"], TASK_TYPES["align"]
    out = {"chosen": False, "focus": "", "kind": "", "type": "", "documents": {}}
    assert list(screen.said(out, SCREENED, screen.check_settings({}))) == [Said("question", "out")]
    nothing = {"pairs": [], "none": True}
    assert list(align.said(nothing, ALIGNED, align.check_settings({}))) == [Said("pair", "none")]
