"""Pages, docstrings, comments and the site's sentences are read once: none has a pattern that is read twice.

`faults` takes any Markdown text, so that other texts can be held to the same rules.
"""

import ast
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from tools.message_catalogs.catalog_files import LOCALE, read_catalog

ROOT = Path(__file__).parents[3]
DOCS = ROOT / "docs"
OTHERS = {DOCS / "log.md", DOCS / "results.md", DOCS / "rooms.md"}  # a diary, which stays, and what programs write
OTHERS |= set((DOCS / "results").rglob("*.md"))
PAGES = [ROOT / "README.md", *sorted(set(DOCS.rglob("*.md")) - OTHERS)]
LONGEST = 45  # words of a sentence
MODULES = [path for room in ("annotation", "client", "evaluation", "modelserving", "platform", "tools")
           for path in sorted((ROOT / room).rglob("*.py")) if "migrations" not in path.parts]  # fmt: skip


class Rule(NamedTuple):
    """A pattern that no sentence may have, with the reason and the better words."""

    pattern: re.Pattern[str]
    why: str


RULES = (
    Rule(re.compile(r"^Of (?!course\b)"), "a part comes before its whole: begin with the subject"),
    Rule(re.compile(r"^(Whose|Whom|Whoever|Who)\b[^?]*$"), "a relative comes before its noun: name the noun"),
    Rule(re.compile(r"^What\b[^?]*$"), "a clause stands for a noun: name the thing"),
    Rule(re.compile(r"^Where (each|every|a|an|the) \w+ stands\b"), "the place comes before the thing: begin with it"),
    Rule(re.compile(r"\b(is|are|was|were) what\b"), "a clause defines the thing: use its verb"),
    Rule(
        re.compile(r"\b(nobody|nothing|no one|none)\b.*\b(more|less|fewer)\b.*\bthan (this|that|these|those)\b", re.I),
        "it denies the contrary: say the limit",
    ),
    Rule(re.compile(r"(?:;.*){3}|; and\b.*; and\b"), "it is a chain: make sentences"),
)
# Rules of the sentences that the site shows alone.
SHOWN = (
    Rule(
        re.compile(r"\b(?:an?|one|each) (?:\w+ an? (?:line|row|item|page|day|hour|person)|(?:row|object) an? \w+)\b"),
        "write 'per'",
    ),
    Rule(re.compile(r"\bstands? (?:there )?twice\b"), "write 'occurs twice'"),
    Rule(re.compile(r"\bso many\b(?! people\b)", re.I), "name the number"),
    Rule(re.compile(r"(?<![Tt]here )(?<!here )\bis no (?!longer\b|more\b)\w"), "write 'is not a'"),
    Rule(re.compile(r"\bany more\b"), "write 'no longer'"),
    Rule(re.compile(r"\bhand(?:s|ed|ing)? (?:\w+ )?in\b(?! hand)"), "the button's word is 'submit'"),
    Rule(re.compile(r"\bput back\b"), "the button's word is 'restore'"),
    Rule(re.compile(r"\b(?:left|leave|leaves) (?:\w+ )?out for\b|\bwho (?:fails|lacks|opens)\b"), "write 'people who'"),
)
FENCE = re.compile(r"^ *```.*?^ *```", re.MULTILINE | re.DOTALL)
ITEM = re.compile(r"\s*(?:[-*]|\d+\.)\s+")
NAME = re.compile(r"^\*\*[^*]+\.\*\*\s+")  # what a paragraph is called, in bold before it
# The end of a sentence and the beginning of the next, but after an initial, "e.g." and the like.
END = re.compile(r"(?<=[.!?])(?<!\s[A-Z]\.)(?<!\.\w\.)(?<!\bvs\.)(?<!\bal\.)(?<!\bFig\.)[)*_\"]*\s+(?=[A-Z0-9`*\"(\[])")


def paragraphs(text: str) -> Iterator[str]:
    """Running text, each item of a list by itself: no code, tables, headings, pictures."""
    lines: list[str] = []
    for line in [*FENCE.sub("\n", text).splitlines(), ""]:
        item = ITEM.match(line)
        apart = not line.strip() or line.lstrip().startswith(("|", "#", "!", "<"))
        apart |= line.startswith("    ") and not (lines or item)
        if (apart or item) and lines:
            yield " ".join(lines)
            lines = []
        if not apart:
            lines.append(line[item.end() if item else 0 :].strip())


def sentences(text: str) -> Iterator[str]:
    """The sentences of a text, with each piece of code as one word and each link as its words."""
    for paragraph in paragraphs(text):
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", re.sub(r"`[^`]*`", "`code`", NAME.sub("", paragraph)))
        yield from filter(None, map(str.strip, END.split(plain)))


def faults(text: str, rules: Sequence[Rule] = RULES) -> list[str]:
    """The faults of the sentences of a text, each as the reason and the sentence."""
    found = []
    for sentence in sentences(text):
        bare = sentence.lstrip('*_"(')
        found += [f"{rule.why}: {sentence}" for rule in rules if rule.pattern.search(bare)]
        if (words := len(sentence.split())) > LONGEST:
            found.append(f"it has {words} words, more than {LONGEST}: {sentence}")
    return found


def docstrings(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """The docstrings of a module, each with the line of what it describes."""
    waiting: list[ast.AST] = [tree]
    for node in waiting:
        described = isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        if described and (text := ast.get_docstring(node)):
            yield getattr(node, "lineno", 1), text
        for part in ("body", "orelse", "finalbody", "handlers"):  # none stands within an expression
            waiting += getattr(node, part, ()) if not isinstance(node, ast.expr) else ()


COMMENT = re.compile(r"\s*# ?(?!type: |noqa|fmt: |pragma)(.*)")


def comments(source: str) -> Iterator[tuple[int, str]]:
    """The comments that have lines of their own, each with its first line."""
    block: list[str] = []
    for number, line in enumerate([*source.splitlines(), ""], 1):
        if found := COMMENT.fullmatch(line):
            block.append(found[1])
        elif block:
            yield number - len(block), "\n".join(block)
            block = []


def line_of(message: str, file: Path) -> int:
    """The first line of a file that holds the beginning of a message; 1 where none does."""
    begin = re.split(r"[%{\"]", message)[0][:25]
    lines = file.read_text(encoding="utf-8").splitlines() if file.is_file() else []
    return next((number for number, line in enumerate(lines, 1) if begin in line), 1)


def test_docstrings_and_comments_are_read_once() -> None:
    found = []
    for path in MODULES:
        source = path.read_text(encoding="utf-8")
        for line, text in (*docstrings(ast.parse(source)), *comments(source)):
            found += [f"{path.relative_to(ROOT)}:{line}: {fault}" for fault in faults(text)]
    assert not found, "\n".join(found)


def test_the_sentences_of_the_site_are_read_once() -> None:
    found = []
    for message in read_catalog(LOCALE / "de" / "LC_MESSAGES" / "django.po"):
        for text in filter(None, [message.id] if isinstance(message.id, str) else message.id):
            if wrong := faults(text, (*RULES, *SHOWN)):
                file = str(message.locations[0][0])
                found += [f"{file}:{line_of(text, ROOT / file)}: {fault}" for fault in wrong]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_a_page_is_read_once(page: Path) -> None:
    found = faults(page.read_text(encoding="utf-8"))
    assert not found, "\n".join(found)


@pytest.mark.parametrize("text", [
    "Of what is stored, the newest counts.",
    "It is kept. Of several references the first is used.",
    "- Whose ratings are few is left out.",
    "Who asks is told.",
    "What waits is sent later.",
    "Where each text stands that may not come into its split",
    "The last row is what counts.",
    "Nobody does more items of this campaign on one day than this.",
    "One is read; another is kept; a third is sent; a fourth is lost.",
    "One is read; and another is kept; and a third is sent.",
    f"{'word ' * 45}end.",
    "**A name.** What\nwaits is sent.",
])  # fmt: skip
def test_a_sentence_that_is_read_twice_is_found(text: str) -> None:
    assert len(faults(text)) == 1


@pytest.mark.parametrize("text", [
    "What is missing?\n\nWho may see it?",
    "Of course it is kept.",
    "**What is missing.** Cells without a value are missing.",
    "| Of a table | What is in it |\n| --- | --- |\n| what is what | Of it |",
    "# Of headings\n\n```\nOf code: what is what\n```\n\n    What is indented\n",
    "It is `what is what; a; b; c` of [a link](https://example.org/a;b;c;d).",
    f"{'word ' * 44}end. {'Word ' * 44}end.",
    "See Fig. A and et al. In J. Smith's table, e.g. Of mice.",
])  # fmt: skip
def test_a_plain_sentence_is_not(text: str) -> None:
    assert faults(text) == []


@pytest.mark.parametrize("text", [
    "CSV with a row a document, or one JSON object a line.",
    "The pair stands there twice.",
    "So many wait in the page.",
    "'dev' is no split; it is train, tune or test.",
    "This item is not yours any more.",
    "You handed this in already, and with other words.",
    "Removed: it can be put back for 30 days.",
    "Leave out who fails the attention checks",
])  # fmt: skip
def test_a_sentence_of_the_site_in_odd_words_is_found(text: str) -> None:
    assert len(faults(text, (*RULES, *SHOWN))) == 1


def test_a_fault_is_named_by_its_file_and_line(tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    file.write_text("<p>\n{% translate 'Who lacks one sees no texts.' %}", encoding="utf-8")
    assert line_of("Who lacks one sees no texts.", file) == 2
    assert list(comments("x = 1\n# Of it\n# the rest.\n")) == [(2, "Of it\nthe rest.")]
    assert list(docstrings(ast.parse('def f():\n    """What f does."""'))) == [(1, "What f does.")]
