"""What the diff of two texts must be: one table for the server's and for the browser's, and texts drawn at random."""

import json
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

CASES: list[dict[str, Any]] = json.loads(Path(__file__).with_suffix(".json").read_text())
LETTERS = [
    "a",
    "B",
    "é",
    "e\u0301",
    "ك",
    "م\u0650",
    "न्",
    "दी",
    "한",
    "ש",
    "漢",
    "か",
    "ไ",
    "ม้",
    "ߒ",
    "ܫ",
    "5",
    "7",
    "_",
]
SIGNS = ["\u200c", "\u200d", "\u0600", '"', ".", ",", "'", "’", "-", "(", "🇩🇪", "👩\u200d🔬", "👍🏽"]
SPACES = [" ", "  ", "\n", "\u00a0", "\u3000"]
ALPHABET = [*LETTERS, *SIGNS, *SPACES]


def random_pairs(seed: int = 19, count: int = 150) -> list[tuple[str, str]]:
    """Texts of odd characters, of a few words, and of so many that they are cut at words that stand once."""
    draw = Random(seed)  # noqa: S311
    odd = [tuple("".join(draw.choices(ALPHABET, k=draw.randrange(30))) for _ in "ab") for _ in range(count)]
    few = [tuple(" ".join(draw.choices("abcdefgh", k=draw.randrange(25))) for _ in "ab") for _ in range(count)]
    return [*odd, *few, *(_edited(draw, kinds, kept) for kinds, kept in product((40, 400, 4000), (0.1, 0.5, 0.9)))]  # type: ignore[list-item]


def _edited(draw: Random, kinds: int, kept: float) -> tuple[str, str]:
    words = [f"w{draw.randrange(kinds)}" for _ in range(600)]
    return " ".join(words), " ".join(word for word in words if draw.random() < kept or draw.choice((True, False)))
