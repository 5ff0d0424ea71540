"""A study's data for the training of metrics, and the finding of concepts: plain data, handed over by the scoring."""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Made = TypeVar("Made")
Part = Literal["texts", "rated", "style_words", "preferences"]
PreferredPair = tuple[str, str, str, float]
"""A source, the rewrite that people preferred, the other one, and the margin of the votes, in (0, 1]."""


class ConceptLinker(Protocol):
    """Finds the concepts of texts."""

    signature: str
    """Which linker over which concepts: equal signatures give equal places."""

    language: str
    """The first part of the tag of the language that the concepts' names are in; "" where nobody said."""

    def __call__(self, text: str) -> Sequence[tuple[int, int]]:
        """Start and end, in characters, of each concept, in order and not overlapping."""


@dataclass(frozen=True)
class TrainingMaterial:
    """A study's data for the training of metrics.

    `texts[style]` are the different texts of each of its styles to train on, `tune[style]` to tune on (maybe none).
    `origin` is "train" where they are of the train and tune splits. It is "own" where a study has none and they are its
    own sources and references; a metric's signature then says so. `rated[aspect]` are texts with their mean ratings on
    a criterion of that aspect (style, fluency, meaning ...), `rating_scales[aspect]` the two ends of its scale.
    `style_words` is the study's list. `preferences` are pairs of rewrites that people judged; they are read where a
    metric of the study needs them.

    `remember(key, make)` keeps a trained model in `remembered`, for all systems of a run; `key` need not name its
    training data.
    """

    texts: Mapping[str, Sequence[str]] = field(default_factory=dict)
    tune: Mapping[str, Sequence[str]] = field(default_factory=dict)
    origin: Literal["train", "own"] = "train"
    rated: Mapping[str, Sequence[tuple[str, float]]] = field(default_factory=dict)
    rating_scales: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    style_words: Sequence[str] = ()
    preferences: Sequence[PreferredPair] = ()
    remembered: dict[Any, Any] = field(default_factory=dict, repr=False, compare=False)

    def remember(self, key: tuple[Any, ...], make: Callable[[], Made]) -> Made:
        """Compute something once.

        Args:
            key: Names it; it need not say what the material is.
            make: Computes it.

        Returns:
            What `make()` gave the first time for this key.
        """
        if key not in self.remembered:
            self.remembered[key] = make()
        result: Made = self.remembered[key]
        return result

    def digest(self, part: Part) -> str:
        """16 hexadecimal digits of the SHA-256 of that part, for signatures and the keys of stored scores."""
        return self._digests[part]

    @cached_property
    def _digests(self) -> dict[str, str]:
        parts = {
            "texts": [self.origin, *({name: list(of[name]) for name in sorted(of)} for of in (self.texts, self.tune))],
            "rated": {name: [list(rated_text) for rated_text in self.rated[name]] for name in sorted(self.rated)},
            "style_words": sorted(self.style_words),
            "preferences": [list(pair) for pair in self.preferences],
        }
        return {
            name: hashlib.sha256(json.dumps(part, ensure_ascii=False).encode()).hexdigest()[:16]
            for name, part in parts.items()
        }
