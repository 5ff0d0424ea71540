"""Concepts by a lexicon: a file of names, found in a text by a trie of their words.

The file is UTF-8; a line is `id TAB semantic group TAB name|name ... TAB definition`, and `# ` begins a comment.
A name is found in any case and in singular and plural; one that is all in capitals only in capitals (`AIDS`, `MS`).
"""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

from corpora.knowledge import word_lists
from corpora.knowledge.concepts.mentions import Concept, Mention, best
from corpora.knowledge.lemmas import lemma
from foundation.errors import UserError

WORD = re.compile(r"[^\W_]+")
GAP = re.compile(r"[\s\-‐‑–'’]+")  # allowed between two words of a name
INITIAL = re.compile(r"\.\s?")  # and after a single letter, as in E. coli
HERE = "\0"  # the key of what ends at a node

Word = tuple[int, int, str]
Node = dict[str, Any]


class Lexicon:
    """A linker over some concepts."""

    def __init__(self, concepts: Iterable[Concept], name: str = "lexicon") -> None:
        self.name = name
        self.concepts = list(concepts)
        self._root: Node = {}
        for concept in self.concepts:
            for one in concept.names:
                self._add(one, concept)

    def link(self, text: str) -> list[Mention]:
        """The mentions in order, none within another: `_mentions.best` of all that is found."""
        found = [(match.start(), match.end(), match[0]) for match in WORD.finditer(text)]
        begins = (at for at, (_, _, word) in enumerate(found) if _key(word) in self._root or f"={word}" in self._root)
        return best(one for at in begins for one in self._from(text, found, at))

    def _add(self, name: str, concept: Concept) -> None:
        node = self._root
        exact = name.isupper()
        for word in WORD.findall(name):
            node = node.setdefault(f"={word}" if exact else _key(word), {})
        if node is not self._root:
            node.setdefault(HERE, []).append((name, concept))

    def _from(self, text: str, found: list[Word], at: int) -> Iterator[Mention]:
        """All candidates that begin with the word at `at`."""
        nodes, start = [self._root], found[at][0]
        for place in range(at, len(found)):
            _, end, word = found[place]
            if place > at and not _joined(text, found[place - 1], found[place]):
                return
            keys = (_key(word), f"={word}")
            nodes = [node[key] for node in nodes for key in keys if key in node]
            if not nodes:
                return
            term = text[start:end]
            for name, concept in (one for node in nodes for one in node.get(HERE, ())):
                yield Mention(start, end, term, _similarity(term, name), concept)


def load(path: Path) -> Lexicon:
    """The lexicon of a file, read once; a UserError names the file and the line that is not well formed."""
    return _read(path, word_lists.stamp(path))


@lru_cache(maxsize=4)
def _read(path: Path, stamp: int) -> Lexicon:
    concepts: dict[str, Concept] = {}
    for number, line in word_lists.lines(path):
        where = f"{path}, line {number}"
        one = _concept(line, where)
        if one.cui in concepts:
            raise UserError("'{cui}' occurs twice; put its names on one line.", cui=one.cui, where=where)
        concepts[one.cui] = one
    if not concepts:
        raise UserError("The file holds no concept.", where=str(path))
    return Lexicon(concepts.values(), "lexicon" if path.parent == word_lists.SHIPPED else f"lexicon {path.name}")


def _concept(line: str, where: str) -> Concept:
    cells = [cell.strip() for cell in line.split("\t")]
    if len(cells) != 4:
        raise UserError(
            "A line is an id, a semantic group, the names and a definition, with tabs between.", where=where
        )
    cui, group, names, definition = cells
    called = tuple(name.strip() for name in names.split("|"))
    if not cui or not all(WORD.search(name) for name in called):
        raise UserError("The id or a name is empty.", where=where)
    return Concept(cui, called, (group,) if group else (), definition)


@lru_cache(maxsize=200_000)
def _key(word: str) -> str:
    """The word in small letters, a plural as its singular; other forms are another word (a burn, burning)."""
    small = word.lower()
    return lemma(small) if len(small) > 3 and small.endswith("s") and not small.endswith(("ss", "us", "is")) else small


def _joined(text: str, before: Word, word: Word) -> bool:
    """Whether two words may be of one name."""
    between = text[before[1] : word[0]]
    return bool(GAP.fullmatch(between) or (len(before[2]) == 1 and INITIAL.fullmatch(between)))


def _similarity(term: str, name: str) -> float:
    """The Jaccard similarity of the trigrams of two terms, as QuickUMLS measures it; case aside."""
    left, right = (one.lower().replace("’", "'") for one in (term, name))
    if left == right:
        return 1.0
    first, second = _trigrams(left), _trigrams(right)
    return len(first & second) / len(first | second)


def _trigrams(text: str) -> set[str]:
    return {text[at : at + 3] for at in range(max(1, len(text) - 2))}
