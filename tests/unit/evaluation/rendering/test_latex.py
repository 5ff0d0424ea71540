"""A table in LaTeX fits into its place; compiled where pdfLaTeX is there."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from support.paper_snapshots import fu_like, plaba_like
from support.snapshots import gyafc_like, msd_like

from evaluation.rendering import RENDERERS
from evaluation.rendering.latex import COLUMN, PAGE, parts_of
from evaluation.table_building import tables_json
from evaluation.table_parts.contents import Cell, Entry, Figure, Table

LATEX = RENDERERS["latex"]
NASTY = '[unk] *x* & 50% → ≤ ± é Ł 北京 😀 _ ^ ~ \\ {} "q" -- ½ ' + "a" * 60
WORDS = "What is it that you see there, and why did you not say so before? "
PAPER = r"""\documentclass[11pt,twocolumn,a4paper]{article}
%s\usepackage[utf8]{inputenc}
\usepackage{booktabs,graphicx}
\setlength{\columnwidth}{7.7cm}\setlength{\textwidth}{16cm}\setlength{\columnsep}{0.6cm}
\setlength{\textheight}{24.7cm}\setlength{\topmargin}{-1.5cm}
\begin{document}
%s
\end{document}
"""
FONTS = {"Computer Modern": "", "Times": "\\usepackage[T1]{fontenc}\\usepackage{mathptmx}\n"}
# What a paper is set with, and the package of Debian that has it: pdfLaTeX alone comes with little of it.
FILES = {
    "Computer Modern": {"article.cls": "texlive-latex-base", "booktabs.sty": "texlive-latex-recommended"},
    "Times": {"booktabs.sty": "texlive-latex-recommended", "ptmr8t.tfm": "texlive-fonts-recommended"},
}


def numbers(columns, rows=3, small="3.77 to 4.01, n = 400"):
    head = ["System", *(f"Metric {at}" for at in range(columns))]
    return Table("T", head, [[Cell(f"System {row}"), *(Cell("33.33", 33.33, small=small) for _ in range(columns))]
                             for row in range(rows)])  # fmt: skip


def texts(columns, rows=3, times=2):
    head = ["From", *(f"Sentence {at}" for at in range(columns))]
    return Table("T", head, [[Cell(f"System {row}"), *(Cell(WORDS * times) for _ in range(columns))]
                             for row in range(rows)], ["A note."])  # fmt: skip


def environments(made):
    return [part.environment for part in parts_of(made)]


def test_a_table_stands_where_it_has_room():
    assert environments(numbers(2)) == ["table"]
    assert environments(numbers(5)) == ["table*"]
    assert environments(texts(4)) == ["table*"]


def test_a_table_that_is_too_wide_comes_in_parts_with_its_names():
    parts = parts_of(numbers(30))
    assert len(parts) > 1
    assert {part.columns[0].lines[0] for part in parts} == {"System"}
    assert sum(len(part.columns) - 1 for part in parts) == 30
    assert r"\caption{T (2 of " in LATEX.table(numbers(30), "T")


def test_a_table_that_is_too_high_comes_in_parts():
    parts = parts_of(numbers(2, rows=200))
    assert [part.start for part in parts][1:] == [part.end for part in parts][:-1]
    assert (parts[0].start, parts[-1].end) == (0, 200)
    text = LATEX.table(texts(4, rows=60, times=6), "T")
    assert text.count(r"\begin{tabular}") == text.count(r"\begin{table*}") > 1
    assert text.count("A note.") == 1, "notes stand under the last"


@pytest.mark.parametrize("made", [numbers(2), numbers(6), texts(2), texts(5)], ids=str)
def test_no_part_is_wider_than_its_place(made):
    for part in parts_of(made):
        wide = (COLUMN if part.environment == "table" else PAGE) / part.size.scale
        used = sum(column.share * wide if column.long else column.natural for column in part.columns)
        assert used + 8.0 * (len(part.columns) - 1) <= wide * 1.0001


def test_intervals_stand_beneath_their_numbers():
    made = Table("T", ["System", "BLEU", "95% interval"], [
        [Cell("A"), Cell("-20.00", -20.0, small="n = 8"),
         Cell("-21.00 to -19.00", parts={"low": -21.0, "high": -19.0})],
    ])  # fmt: skip
    lines = LATEX.table(made, "T").splitlines()
    assert r"System & BLEU \tabularnewline" in lines
    assert lines[lines.index(r"A & $-$20.00 \tabularnewline") + 1 :][:2] == [
        r" & {\scriptsize $-$21.00 to $-$19.00} \tabularnewline", r" & {\scriptsize n = 8} \tabularnewline"
    ]  # fmt: skip


def test_marked_words_are_set_apart():
    made = Table("T", ["From", "Text"], [[Cell("A"), Cell("a word " * 30, marks=((2, 6),))]])
    assert r"a \emph{word} a word" in LATEX.table(made, "T")


def test_a_figure_takes_its_pdf():
    made = Figure("Scores", {"facet": {}}, [{"a": 1.0}], "One point.", ["A note."])
    text = LATEX.figure(made, "Fu (2018), Figure 2: Scores → all")
    assert r"\includegraphics[width=\linewidth]{fu-2018-figure-2-scores-all.pdf}" in text
    assert text.count("figure*}") == 2
    assert "A note." in text


def compiled(folder: Path, fonts: str, text: str) -> str:
    """The log of pdfLaTeX; an AssertionError where it stopped."""
    (folder / "paper.tex").write_text(PAPER % (fonts, text), encoding="utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "paper.tex"]
    found = subprocess.run(command, cwd=folder, capture_output=True, check=False)
    log = (folder / "paper.log").read_text(encoding="utf-8", errors="replace")
    assert found.returncode == 0, log[-2000:]
    return log


def missing_packages(fonts: str) -> list[str]:
    """The packages of Debian that a paper in these fonts needs besides what is there."""
    if shutil.which("pdflatex") is None or shutil.which("kpsewhich") is None:
        return sorted(set(FILES[fonts].values()))
    found = subprocess.run(["kpsewhich", *FILES[fonts]], capture_output=True, text=True, check=False).stdout
    there = {Path(line).name for line in found.splitlines()}
    return sorted({package for file, package in FILES[fonts].items() if file not in there})


@pytest.mark.parametrize("fonts", FONTS)
def test_everything_compiles_in_a_paper_of_two_columns(tmp_path, fonts):
    """All tables of five studies and what is hard to set: no error, nothing too wide and nothing too high."""
    if missing := missing_packages(fonts):
        pytest.skip(f"no pdfLaTeX with what a paper in {fonts} needs: apt install {' '.join(missing)}")
    stored = [one for make in (gyafc_like, msd_like, fu_like, plaba_like) for one in tables_json(make()).values()]
    nasty = Table(NASTY, ["[a", NASTY, "n"], [[Cell("[x"), Cell(NASTY), Cell("1.0", 1.0, stars="*")],
                                              [Cell("*y"), Cell(NASTY * 9), Cell("-2.0", -2.0)]], [NASTY])  # fmt: skip
    files = [LATEX.table_or_figure(one).decode() for one in stored if one["is"] != "lacking"]
    files += [LATEX.table(made, NASTY) for made in (nasty, numbers(30), texts(6, rows=40), texts(1))]
    whole = LATEX.whole({}, map(Entry.of, stored))
    log = compiled(tmp_path, FONTS[fonts], "\\clearpage\n".join([*files, whole]))
    assert len(files) > 100
    assert re.findall(r"^(?:Overfull|LaTeX Warning: Float too large).*", log, re.MULTILINE) == []
