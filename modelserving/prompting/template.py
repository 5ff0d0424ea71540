"""A prompt made of a template and examples. Only names below are filled in, in one pass: braces in texts are data."""

import hashlib
import json
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

import numpy as np
import numpy.typing as npt

from foundation.errors import UserError
from foundation.seeds import generator
from foundation.text_keys import normalized_key

SYSTEM = "You rewrite texts in another style and keep their meaning."
MESSAGE = """Rewrite the text from the style "{source_style}" in the style "{target_style}". Keep all that it says, \
add nothing, and answer with the rewritten text alone.

{examples}

Text ({source_style}): {text}
Rewritten ({target_style}):"""
EXAMPLE = """Text ({source_style}): {source}
Rewritten ({target_style}): {target}"""

STYLES = ("source_style", "target_style")
IN_PROMPT = (*STYLES, "text", "examples")
IN_EXAMPLE = (*STYLES, "source", "target")
NAMED = re.compile(r"\{([a-z_]+)\}")
EMPTY_LINES = re.compile(r"\n{3,}")
Messages = list[dict[str, str]]
Pair = tuple[str, str]
"""A source and a rewrite of it."""


@dataclass(frozen=True)
class Template:
    """The system's words ("" for none), the user's message, and the form of an example in it."""

    system: str = SYSTEM
    message: str = MESSAGE
    example: str = EXAMPLE

    @property
    def version(self) -> str:
        """The first twelve digits of the SHA-256 of its three texts: equal prompts have equal versions."""
        texts = [text.replace("\r\n", "\n") for text in (self.system, self.message, self.example)]
        return hashlib.sha256(json.dumps(texts, ensure_ascii=True).encode()).hexdigest()[:12]

    def check(self, shots: int) -> None:
        """Raise a UserError where a name in braces is unknown, or the text or the examples have no place."""
        for where, names in (("system", IN_PROMPT), ("message", IN_PROMPT), ("example", IN_EXAMPLE)):
            for name in NAMED.findall(getattr(self, where)):
                if name not in names:
                    known = ", ".join(f"{{{one}}}" for one in names)
                    raise UserError("There is no {{{name}}}; there are {known}.", name=name, known=known, where=where)
        if "{text}" not in self.message:
            raise UserError(
                "The message has no {text}, so the model would not see the text to rewrite.", where="message"
            )
        if shots and "{examples}" not in self.system + self.message:
            raise UserError("There are examples, but the prompt has no {examples} for them.", where="message")
        if shots and not all(name in self.example for name in ("{source}", "{target}")):
            raise UserError("An example has a {source} and a {target}.", where="example")

    def messages(self, text: str, styles: Pair, examples: Sequence[Pair]) -> Messages:
        """The chat that asks for the rewrite of `text`."""
        shared = dict(zip(STYLES, styles, strict=True))
        shown = [filled(self.example, {**shared, "source": source, "target": target}) for source, target in examples]
        values = {**shared, "text": text, "examples": "\n\n".join(shown)}
        system, message = self._laid_out(self.system, values), self._laid_out(self.message, values)
        said = [{"role": "system", "content": system}] if system else []
        return [*said, {"role": "user", "content": message}]

    @staticmethod
    def _laid_out(template: str, values: Mapping[str, str]) -> str:
        """The template filled in; without examples their place and its empty lines are closed up, never a text's."""
        lines = template.replace("\r\n", "\n")
        if not values["examples"]:
            lines = EMPTY_LINES.sub("\n\n", lines.replace("{examples}", ""))
        return filled(lines, values).strip()


def filled(template: str, values: Mapping[str, str]) -> str:
    """The template with the names in `values` filled in; all else in it, and all in the values, stays as it is."""
    return NAMED.sub(lambda found: values.get(found[1], found[0]), template)


# The pairs of the train set in a prompt, as examples: drawn once by the seed, or retrieved for each text.
#
# A pair whose source is the text itself is never among them, so no text meets its own reference.

K1, B = 1.2, 0.75
WORD = re.compile(r"\w+")
Floats = npt.NDArray[np.float64]


class Bm25:
    """An index over texts, by their places. With `only` it has no other words: enough for one query, and small."""

    def __init__(self, texts: Iterable[str], only: Iterable[str] | None = None) -> None:
        known = None if only is None else set(only)
        places: dict[str, list[tuple[int, int]]] = {}
        lengths: list[int] = []
        for place, text in enumerate(texts):
            counts = Counter(words_of(text))
            lengths.append(counts.total())
            for word, count in counts.items():
                if known is None or word in known:
                    places.setdefault(word, []).append((place, count))
        self.size = len(lengths)
        self._places = {word: np.array(found, dtype=np.int64) for word, found in places.items()}
        ends = np.array(lengths, dtype=np.float64)
        mean = ends.mean() if self.size and ends.any() else 1.0
        self._norm: Floats = K1 * (1 - B + B * ends / mean)

    def scores(self, query: str) -> Floats:
        """The similarity of each text to the query; 0 where they share no word."""
        found = np.zeros(self.size)
        for word, times in sorted(Counter(words_of(query)).items()):
            at = self._places.get(word)
            if at is not None:
                rows, counts = at[:, 0], at[:, 1]
                rarity = math.log(1 + (self.size - len(rows) + 0.5) / (len(rows) + 0.5))
                found[rows] += times * rarity * counts * (K1 + 1) / (counts + self._norm[rows])
        return found

    def nearest(self, query: str) -> Iterable[int]:
        """All places, the most similar first; equal ones in their order."""
        return map(int, np.argsort(-self.scores(query), kind="stable"))


def words_of(text: str) -> list[str]:
    """The words in the form that is compared: runs of letters and digits, case aside."""
    return WORD.findall(text.casefold())


DRAWN, RETRIEVED = "drawn", "retrieved"


class Examples:
    """The pool of pairs; only the first pair of equal sources counts."""

    def __init__(self, pairs: Iterable[Pair], shots: int, choice: str, seed: int | None) -> None:
        """Without a seed the pairs are in the order of their draw, as a checkpoint keeps them."""
        self.shots, self.choice, self.seed = shots, choice, seed
        found: dict[str, Pair] = {}
        for source, target in pairs if shots else ():
            if source.strip() and target.strip():
                found.setdefault(normalized_key(source), (source, target))
        self.pairs: Sequence[Pair] = list(found.values())
        self._keys = list(found)

    def of(self, text: str) -> list[Pair]:
        """The examples for a text, the most similar one last, or in the order of their draw."""
        if not self.shots:
            return []
        if self.choice == DRAWN:
            return self._first(self._drawn, text)
        return self._first(self._index.nearest(text), text)[::-1]

    def for_one(self, text: str) -> list[Pair]:
        """As `of`, for a single text, without an index over all words."""
        if self.choice == RETRIEVED:
            self.__dict__["_index"] = Bm25((source for source, _ in self.pairs), only=words_of(text))
        return self.of(text)

    def stored(self) -> list[list[str]]:
        """The pairs that a checkpoint keeps; no more drawn ones than can be asked for."""
        if self.choice == RETRIEVED:
            return [list(pair) for pair in self.pairs]
        return [list(self.pairs[place]) for place in islice(self._drawn, self.shots + 1)]

    def _first(self, places: Iterable[int], text: str) -> list[Pair]:
        key = normalized_key(text)
        others: Iterator[int] = (place for place in places if self._keys[place] != key)
        return [self.pairs[place] for place in islice(others, self.shots)]

    @cached_property
    def _drawn(self) -> list[int]:
        if self.seed is None:
            return list(range(len(self.pairs)))
        return [int(place) for place in generator(self.seed, "examples").permutation(len(self.pairs))]

    @cached_property
    def _index(self) -> Bm25:
        return Bm25(source for source, _ in self.pairs)
