"""A whole report in LaTeX: no more floats wait for a page than LaTeX holds, whatever tables the study has.

LaTeX holds 18 floats that wait (52 since 2015) and stops at the next with "Too many unprocessed floats"; `\\clearpage`
sets all that wait (Lamport, LaTeX: A Document Preparation System, C.9.1).
"""

import re

import pytest
from support.paper_snapshots import fu_like, plaba_like
from support.snapshots import gyafc_like, msd_like

from evaluation.rendering import RENDERERS
from evaluation.table_building import tables_json
from evaluation.table_parts.contents import Cell, Entry, Table

LATEX = RENDERERS["latex"]
HELD = 18


def waiting(text):
    """The most floats that wait at any place of a paper, if none is set before it must be."""
    most = now = 0
    for found in re.findall(r"\\begin\{(?:table|figure)\*?\}|\\clearpage", text):
        now = 0 if found == r"\clearpage" else now + 1
        most = max(most, now)
    return most


def long_table(rows):
    return Table("Long", ["Name", "BLEU"], [[Cell(f"Row {row}"), Cell("1.0", 1.0)] for row in range(rows)])


@pytest.mark.parametrize(("rows", "tables"), [(1, 30), (100, 30), (4000, 1)])
def test_a_long_table_is_many_floats_and_none_waits_for_long(rows, tables):
    entries = [Entry(f"t{n}", "study", n, "", None, long_table(rows)) for n in range(tables)]
    text = LATEX.whole({}, entries)
    assert text.count(r"\begin{table") >= 30
    assert text.count(r"\begin{table") == text.count(r"\end{table")
    assert waiting(text) < HELD


def test_the_tables_of_all_papers_in_one_report():
    stored = [one for make in (gyafc_like, msd_like, fu_like, plaba_like) for one in tables_json(make()).values()]
    text = LATEX.whole({}, map(Entry.of, stored))
    assert text.count(r"\begin{table") > 100
    assert waiting(text) < HELD
    assert text.count("{") == text.count("}")
