"""Options of the models that go by attribute markers; Li et al.'s (2018) values, section 4.4. Without torch."""

from collections.abc import Mapping
from dataclasses import dataclass

from foundation.options import option
from foundation.papers import LI
from modelserving.interface import Preset
from modelserving.training.recipe import MARKERS, TEXTS


@dataclass(frozen=True)
class MarkerOptions:
    """How markers are found, and which texts are learnt from. The threshold is that of the paper's Yelp reviews."""

    threshold: float = option(
        15.0, "How many times as frequent as in the other style an n-gram is at least to be a marker", low=1, high=1e6,
        group=MARKERS,
    )  # fmt: skip
    marker_smoothing: float = option(
        1.0, "Smoothing added to both counts of an n-gram before the division", low=0.001, high=1000, rare=True,
        group=MARKERS,
    )  # fmt: skip
    marker_words: int = option(4, "Words of a marker at most", low=1, high=10, rare=True, group=MARKERS)
    least_content: int = option(
        5, "Words of a text besides its markers, at least, to be trained on or retrieved", low=0, high=1000, rare=True,
        group=TEXTS,
    )  # fmt: skip


MARKER_PRESETS: Mapping[str, Preset] = {
    "yelp": Preset("Li et al.: Yelp", LI, {"threshold": 15.0}),
    "amazon": Preset("Li et al.: Amazon", LI, {"threshold": 5.5}),
    "captions": Preset("Li et al.: captions", LI, {"threshold": 5.0}),
}
