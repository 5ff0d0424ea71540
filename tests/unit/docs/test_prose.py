"""Pages are read once: none holds a pattern that makes its reader begin a sentence again.

`faults` takes any Markdown text, so that other texts can be held to the same rules.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[3]
DOCS = ROOT / "docs"
OTHERS = {DOCS / "log.md", DOCS / "results.md", DOCS / "rooms.md"}  # a diary, which stays, and what programs write
OTHERS |= set((DOCS / "results").rglob("*.md"))
PAGES = [ROOT / "README.md", *sorted(set(DOCS.rglob("*.md")) - OTHERS)]
LONGEST = 45  # words of a sentence


class Rule(NamedTuple):
    """What no sentence may hold, with the reason and what to write."""

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


def faults(text: str) -> list[str]:
    """What is wrong with the sentences of a text, each as the reason and the sentence."""
    found = []
    for sentence in sentences(text):
        bare = sentence.lstrip('*_"(')
        found += [f"{rule.why}: {sentence}" for rule in RULES if rule.pattern.search(bare)]
        if (words := len(sentence.split())) > LONGEST:
            found.append(f"it has {words} words, more than {LONGEST}: {sentence}")
    return found


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
