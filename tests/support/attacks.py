"""Texts on which a pattern would take long if it can: made from the pattern itself."""

import random
import re
import re._compiler as compiler  # type: ignore[import-not-found]
import re._parser as parser  # type: ignore[import-not-found]
from collections.abc import Iterator
from typing import Any, NamedTuple

LETTERS = "aAsz0129 \t\n-_.,;:!?'\"()[]{}<>/\\@#%&*=+|~$^é’–…X\0\x85"
ENDS = ("", "\0", "\n", "!", "a", "]")
MANY = 16


class Shape(NamedTuple):
    """What a text begins with, what it repeats, how it ends."""

    head: str
    pump: str
    tail: str

    def text(self, size: int) -> str:
        """One of about so many characters."""
        return self.head + self.pump * max(1, (size - len(self.head) - len(self.tail)) // len(self.pump)) + self.tail


def shapes(pattern: re.Pattern[Any]) -> list[Shape]:
    """The same ones in the same order, whenever it is asked."""
    return [Shape(*shape) for shape in sorted(set(_shapes(pattern)))]


def _shapes(pattern: re.Pattern[Any]) -> Iterator[tuple[str, str, str]]:
    words = pattern.pattern if isinstance(pattern.pattern, str) else pattern.pattern.decode("latin-1")
    tree = parser.parse(words, pattern.flags & ~re.UNICODE if isinstance(pattern.pattern, bytes) else pattern.flags)
    draw = random.Random(ascii(words))  # noqa: S311 (the same texts each time)
    pumps, bits = set(LETTERS), set()
    for before, inside in repeats(tree, pattern.flags, draw, ""):
        for one in inside:
            pumps |= {one, before + one, one + before}
            bits |= {one, before}
            for tail in ENDS:
                yield before, one, tail
    bits |= {one for part in looked_at(tree) for _ in range(3) for one in [sample(part, pattern.flags, draw)]}
    bits |= {one for _ in range(8) for one in [sample(tree, pattern.flags, draw)]}
    bits |= {bit[:-1] for bit in bits} | {bit[1:] for bit in bits}
    for pump in pumps | bits:
        if pump:
            for tail in ("", "\0"):
                yield "", pump, tail
    some = [*sorted(bit for bit in bits if bit), " ", "a", "-", ".", "0"]
    for _ in range(100):
        pump = "".join(draw.choice(some) for _ in range(draw.randint(1, 3)))
        yield draw.choice(["", *some]), pump, draw.choice(["", *some, *ENDS])


def repeats(tree: Any, flags: int, draw: random.Random, before: str) -> Iterator[tuple[str, list[str]]]:
    """What leads to each repetition without a small bound, and what it may repeat."""
    for node in tree:
        kind, what = str(node[0]), node[1]
        if kind in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
            if int(what[1]) >= MANY:
                singles = letters(what[2], flags)
                several = [sample(what[2], flags, draw) for _ in range(3)]
                inside = sorted({one for one in [*draw.sample(singles, min(6, len(singles))), *several] if one})
                yield before, inside
            yield from repeats(what[2], flags, draw, before)
        else:
            for part in parts(kind, what):
                yield from repeats(part, flags, draw, before)
        before += sample([node], flags, draw)


def looked_at(tree: Any) -> Iterator[Any]:
    """What the assertions look for."""
    for node in tree:
        kind, what = str(node[0]), node[1]
        if kind in ("ASSERT", "ASSERT_NOT"):
            yield what[1]
        for part in [what[2]] if kind.endswith("_REPEAT") else parts(kind, what):
            yield from looked_at(part)


def parts(kind: str, what: Any) -> list[Any]:
    return {
        "SUBPATTERN": lambda: [what[3]],
        "ATOMIC_GROUP": lambda: [what],
        "BRANCH": lambda: what[1],
        "ASSERT": lambda: [what[1]],
        "ASSERT_NOT": lambda: [what[1]],
        "GROUPREF_EXISTS": lambda: [one for one in what[1:] if one is not None],
    }.get(kind, list)()


_KNOWN: dict[tuple[str, int], list[str]] = {}  # a pattern is sampled a dozen times


def letters(tree: Any, flags: int) -> list[str]:
    """Of `LETTERS`, those that a part of one character matches; none where it is longer."""
    if len(tree) != 1 or str(tree[0][0]) not in ("IN", "LITERAL", "NOT_LITERAL", "ANY", "CATEGORY", "RANGE"):
        return []
    if str(tree[0][0]) == "LITERAL":
        return [chr(tree[0][1])]
    asked = repr(tree[0]), flags
    if asked not in _KNOWN:
        state = parser.State()
        state.flags = flags
        one = compiler.compile(parser.SubPattern(state, [tree[0]]), flags & ~re.DEBUG)
        _KNOWN[asked] = [letter for letter in LETTERS if one.match(letter)]
    return _KNOWN[asked]


def sample(tree: Any, flags: int, draw: random.Random) -> str:
    """A text that the tree matches, but for what its assertions ask."""
    return "".join(of_node(str(node[0]), node[1], flags, draw) for node in tree)


def of_node(kind: str, what: Any, flags: int, draw: random.Random) -> str:
    if kind in ("IN", "LITERAL", "NOT_LITERAL", "ANY"):
        found = letters([(getattr(parser, kind), what)], flags)
        return draw.choice(found) if found else "α"
    if kind in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
        least, most = int(what[0]), min(int(what[1]), int(what[0]) + 2)
        return "".join(sample(what[2], flags, draw) for _ in range(draw.randint(least, most)))
    if kind in ("ASSERT", "ASSERT_NOT", "AT", "GROUPREF"):
        return ""
    inside = parts(kind, what)
    return sample(draw.choice(inside), flags, draw) if inside else ""
