import csv
import io
import json
from types import SimpleNamespace

import pytest

from evaluation.rendering import RENDERERS
from evaluation.table_building import entry_json
from evaluation.tables import TABLES

MEAN = {"mean": 3.5, "low": 3.0, "high": 4.0, "n": 8, "undefined": ""}
NO_SCORE = {"score": None, "signature": "", "undefined": "Its outputs are the references themselves."}
NOBODY = SimpleNamespace(left_out=[])


def score(value):
    return {"score": value, "signature": "metric:bleu|case:lc", "undefined": ""}


@pytest.fixture
def report():
    systems = [
        {"name": "=cmd|'/c calc'!A1", "outputs": 10, "missing": 0, "human": {"topic": MEAN},
         "metrics": {"bleu": score(1 / 3)}},
        {"name": "A_b & 50% {x} | *y*", "outputs": 9, "missing": 1, "human": {"topic": {**MEAN, "mean": 4.25}},
         "metrics": {"bleu": score(20.0)}},
        {"name": "People", "outputs": 10, "missing": 0, "human": {"topic": MEAN}, "metrics": {"bleu": NO_SCORE}},
    ]  # fmt: skip
    systems = [{**system, "role": "system"} for system in systems]
    alpha = {"criterion": "topic", "coefficient": "krippendorff_alpha", "measurement": "ordinal", "value": None,
             "raters": 0, "items": 0, "undefined": "No item was judged by two raters."}  # fmt: skip
    pair = {"metric": "bleu", "criterion": "topic", "level": "system", "coefficient": "kendall", "value": -0.5,
            "low": None, "high": None, "p": 0.0001, "n": 2, "note": "",
            "undefined": "There is no interval."}  # fmt: skip
    content = {"study": "mail", "systems": systems, "agreement": [alpha], "correlations": [pair]}
    made = {
        name: TABLES[name].make(
            SimpleNamespace(
                report=content,
                variant="raw",
                judgements={"raw": {}},
                systems=[],
                imported={},
                measured={},
                raters=NOBODY,
            )
        )
        for name in ("systems", "agreement", "correlations")
    }
    return (content, {name: entry_json(name, TABLES[name], one) for name, one in made.items()})


def rendered(form, report):
    return RENDERERS[form].report(*report).decode()


def test_json_is_the_report_itself(report):
    assert json.loads(rendered("json", report)) == report[0]


def test_csv_has_numbers_in_full_and_no_formula(report):
    rows = list(csv.reader(io.StringIO(rendered("csv", report))))
    head, first = rows[0], rows[1]
    assert first[0] == "'=cmd|'/c calc'!A1"
    cells = dict(zip(head, first, strict=True))
    assert float(cells["BLEU"]) == 1 / 3
    assert [cells[f"topic{part}"] for part in ("", " low", " high", " n")] == ["3.5", "3.0", "4.0", "8"]
    assert dict(zip(head, rows[3], strict=True))["BLEU"] == ""
    last = dict(zip(rows[-2], rows[-1], strict=True))
    assert (last["Value"], last["low"], last["p"]) == ("-0.5", "", "0.0001")


def test_the_best_is_bold_and_what_a_form_would_read_is_escaped(report):
    markdown, latex = rendered("markdown", report), rendered("latex", report)
    assert "**20.00**" in markdown
    assert "**4.25**" in markdown
    assert "**0.33**" not in markdown
    assert r"A\_b & 50% {x} \| \*y\*" in markdown
    assert r"\textbf{20.00}" in latex
    assert r"A\_b \& 50\% \{x\} \textbar{} {*}y{*}" in latex
    assert "n = 8" in markdown
    assert "n = 8" in latex


def test_why_a_number_is_lacking_is_said(report):
    for form in ("markdown", "latex"):
        text = rendered(form, report)
        for why in (
            "Its outputs are the references themselves.",
            "No item was judged by two raters.",
            "There is no interval.",
        ):
            assert why in text
