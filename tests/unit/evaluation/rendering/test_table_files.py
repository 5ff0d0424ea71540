"""A stored table and a stored figure in each form in which they leave the site."""

import csv
import io
import json
import re
import zlib
from contextlib import suppress
from dataclasses import replace
from xml.etree import ElementTree

import orjson
import pytest
from django.utils import translation

from evaluation import charts as draw
from evaluation.rendering import RENDERERS, forms_of, images
from evaluation.table_building import entry_json
from evaluation.table_parts.contents import Cell, Entry, Figure, MissingContent, Table, in_order
from evaluation.tables._base import TableOrFigure
from evaluation.views.tables_and_figures import Shown
from foundation.errors import UserError
from foundation.papers import GYAFC

TABLE = Table(
    "Systems & people",
    ["System", "Direction", "BLEU", "95% interval", "PINC"],
    [
        [Cell("A_b | <i>"), Cell("in–out"), Cell("20.00", 20.0, best=True, stars="*", small="n = 8", parts={"n": 8.0}),
         Cell("19.00 to 21.00", parts={"low": 19.0, "high": 21.0}), Cell("0.33", 1 / 3)],
        [Cell("=cmd()"), Cell("50%"), Cell("–", why="It was not scored."), Cell("–", parts={"low": None, "high": None}),
         Cell("-1.00", -1.0)],
    ],
    ["A note\non two lines."],
    [None, None, True, None, True],
)  # fmt: skip
ROWS = [{"group": g, "system": s, "value": v, "low": v and v - 1, "high": v and v + 1}
        for g, s, v in (("short", "A", 3.0), ("short", "B", 2.5), ("long", "A", None), ("long", "B", 0.1))]  # fmt: skip
SPEC = draw.bars(
    draw.groups("group", "Length"), draw.amount("value", "Score"), draw.colour("system", ["A", "B"]),
    low="low", high="high", tip=("system", "value"),
)  # fmt: skip
FIGURE = Figure("Score by length", SPEC, ROWS, "Two bars a group; A leads.", ["n = 4"])


def stored(made, paper=GYAFC, number="Table 4", kind="paper", order=1):
    entry = TableOrFigure(
        title=made.title, make=lambda snapshot: made, paper=paper, number=number, kind=kind, order=order
    )
    return orjson.loads(orjson.dumps(entry_json("t", entry, made)))


def rendered(form, made):
    return RENDERERS[form].table_or_figure(stored(made)).decode("utf-8-sig")


def test_csv_has_a_column_for_each_number():
    assert rendered("csv", TABLE).splitlines() == [
        "System,Direction,BLEU,BLEU n,BLEU stars,low,high,PINC",
        "A_b | <i>,in–out,20.0,8.0,*,19.0,21.0,0.3333333333333333",
        "'=cmd(),50%,,,,,,-1.0",
    ]


def test_csv_of_a_figure_is_its_data():
    found = list(csv.DictReader(io.StringIO(rendered("csv", FIGURE))))
    assert found[1] == {"group": "short", "system": "B", "value": "2.5", "low": "1.5", "high": "3.5"}
    assert found[2]["value"] == ""


def test_latex_can_be_set_as_it_is():
    assert rendered("latex", TABLE).splitlines() == [
        r"% \usepackage{booktabs}",
        r"\begin{table}",
        r"\centering",
        r"\small",
        r"\setlength{\tabcolsep}{4pt}",
        r"\caption{Rao and Tetreault (2018), Table 4: Systems \& people}",
        r"\begin{tabular}{@{}llrr@{}}",
        r"\toprule",
        r"System & Direction & BLEU & PINC \tabularnewline",
        r"\midrule",
        r"A\_b \textbar{} \textless{}i\textgreater{} & in--out & \textbf{20.00}\rlap{\textsuperscript{*}} & 0.33 "
        r"\tabularnewline",
        r" &  & {\scriptsize 19.00 to 21.00} &  \tabularnewline",
        r" &  & {\scriptsize n = 8} &  \tabularnewline",
        r"\addlinespace[2pt]",
        r"=cmd() & 50\% & -- & $-$1.00 \tabularnewline",
        r"\bottomrule",
        r"\end{tabular}",
        r"\par\smallskip",
        r"\begin{minipage}{\linewidth}\footnotesize\raggedright A note on two lines.\end{minipage}",
        r"\end{table}",
    ]


def test_markdown_escapes_what_it_would_read():
    assert rendered("markdown", TABLE).splitlines() == [
        "## Rao and Tetreault (2018), Table 4: Systems & people",
        "",
        "| System | Direction | BLEU | 95% interval | PINC |",
        "| --- | --- | ---: | ---: | ---: |",
        r"| A\_b \| \<i> | in–out | **20.00**\* (n = 8) | 19.00 to 21.00 | 0.33 |",
        "| =cmd() | 50% | – | – | -1.00 |",
        "",
        "- A note on two lines.",
        "- =cmd(), BLEU: It was not scored.",
    ]


def test_latex_breaks_long_texts_into_lines():
    texts = Table("T", ["System", "Sentence"], [[Cell("A"), Cell("What is it that you see there? " * 4)]])
    assert re.search(r"\\begin\{tabular\}\{@\{\}lp\{0\.\d+\\linewidth\}@\{\}\}", rendered("latex", texts))


def test_a_figure_in_words_is_the_table_of_its_data():
    assert rendered("markdown", FIGURE).splitlines()[2:] == [
        "| group | system | value | low | high |",
        "| --- | --- | ---: | ---: | ---: |",
        "| short | A | 3 | 2 | 4 |",
        "| short | B | 2.5 | 1.5 | 3.5 |",
        "| long | A |  |  |  |",
        "| long | B | 0.1 | -0.9 | 1.1 |",
        "",
        "- Two bars a group; A leads.",
        "- n = 4",
    ]
    assert r"\includegraphics[width=\linewidth]{rao-and-tetreault-2018-table-4-score-by-length.pdf}" in rendered(
        "latex", FIGURE
    )


def test_json_of_a_table_says_which_rows_stand_behind_a_number():
    asks = {"system": "A", "metric": "bleu"}
    found = json.loads(rendered("json", Table("T", ["System"], [[Cell("1.0", 1.0, rows=asks)]])))
    assert found["rows"] == [[{"text": "1.0", "value": 1.0, "rows": asks}]]
    assert found["title"] == "Rao and Tetreault (2018), Table 4: T"


def test_json_of_a_figure_is_vega_lite_with_its_data():
    found = json.loads(rendered("json", FIGURE))
    assert found["data"] == {"values": ROWS}
    assert found["$schema"].endswith("/v5.json")
    assert found["description"] == FIGURE.describes
    assert found["usermeta"] == {"notes": ["n = 4"]}


def test_svg_draws_a_bar_and_an_interval_for_each_number():
    drawn = ElementTree.fromstring(rendered("svg", FIGURE))  # noqa: S314
    described = [one.get("aria-roledescription") for one in drawn.iter()]
    assert described.count("bar") == 3, "none where there is no number"
    assert described.count("rule mark") == 3
    words = [one.text for one in drawn.iter("{http://www.w3.org/2000/svg}text")]
    assert {"Length", "Score", "short", "long", "A", "B"} <= set(words)
    fills = {one.get("fill") for one in drawn.iter() if one.get("aria-roledescription") == "bar"}
    assert {fill.upper() for fill in fills} == set(draw.COLOURS[:2])


def test_png_is_one_of_twice_the_size_in_points():
    drawn = ElementTree.fromstring(rendered("svg", FIGURE))  # noqa: S314
    made = RENDERERS["png"].table_or_figure(stored(FIGURE))
    assert made.startswith(b"\x89PNG\r\n\x1a\n")
    width = int.from_bytes(made[16:20])
    assert width == pytest.approx(2 * float(drawn.get("width")), abs=2)


def test_a_picture_has_the_words_of_the_page():
    with translation.override("de"):
        read = Shown.of(stored(FIGURE))
        assert "Wert" in RENDERERS["svg"].entry(read).decode()
    assert "Score" in rendered("svg", FIGURE)


@pytest.mark.parametrize("form", ["png", "pdf"])
def test_letters_without_a_font_are_a_sentence_and_no_boxes(form, monkeypatch):
    """A letter is lacking where it is drawn as one that no font has."""
    monkeypatch.setattr(images, "UNKNOWN", "ä")
    figure = replace(FIGURE, rows=[{**row, "group": "länger"} for row in ROWS])
    with pytest.raises(
        UserError, match=r"no font with letters of the chart \(ä\): install one, such as Noto, or download"
    ):
        RENDERERS[form].table_or_figure(stored(figure))


def test_pdf_is_one_page_of_letters_that_can_be_searched():
    drawn = ElementTree.fromstring(rendered("svg", FIGURE))  # noqa: S314
    made = RENDERERS["pdf"].table_or_figure(stored(FIGURE))
    assert made.startswith(b"%PDF-")
    assert made.rstrip().endswith(b"%%EOF")
    (box,) = re.findall(rb"/MediaBox ?\[([^\]]+)\]", made)
    width, height = map(float, box.split()[2:])
    assert (width, height) == pytest.approx((float(drawn.get("width")), float(drawn.get("height"))), abs=2)
    whole = made + b"".join(_inflated(made))
    assert b"/FontFile" in whole, "its fonts are within"
    assert b"/ToUnicode" in whole, "its letters are text, no shapes"


def _inflated(pdf):
    for stream in re.findall(rb"stream\r?\n(.*?)\r?\nendstream", pdf, re.DOTALL):
        with suppress(zlib.error):
            yield zlib.decompress(stream)


def test_what_is_not_there_is_said_in_a_sentence():
    lacks = stored(MissingContent("Systems", ["Nobody judged.", "No metric is chosen."]))
    with pytest.raises(UserError, match=r"The study does not give 'Systems'. Nobody judged. No metric is chosen."):
        RENDERERS["csv"].table_or_figure(lacks)
    with pytest.raises(UserError, match=r"A table has no format PNG."):
        RENDERERS["png"].table_or_figure(stored(TABLE))


def test_tables_have_no_pictures():
    assert list(forms_of("table")) == ["csv", "json", "latex", "markdown"]
    assert list(forms_of("figure")) == ["csv", "json", "latex", "markdown", "pdf", "png", "svg"]
    assert list(forms_of("report")) == ["csv", "json", "latex", "markdown"]


def test_what_every_study_has_comes_first():
    every = {
        "a": stored(TABLE, order=2), "b": stored(TABLE, None, "", "trust"), "c": stored(TABLE, None, "", "study", 9),
        "d": stored(TABLE, order=1),
    }  # fmt: skip
    assert in_order(every) == [every[name] for name in "cbda"]
    assert Entry.of(every["c"]).full_title == "Systems & people"
