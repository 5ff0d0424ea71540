"""The scale on which a paper prints a metric, where it is not Restyle's: BLEU from 0 to 1 for one from 0 to 100.

A table names it by metric (`SCALES = {"bleu": HUNDREDTH}`), gives it to its columns (`metric_column`,
`model_rows.score_column`), and adds `scale_notes` to its notes.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class PaperScale:
    """What Restyle's number is multiplied by, how many digits more are shown then, and that in words."""

    factor: float
    digits: int
    words: str

    def of(self, value: float | None) -> float | None:
        """A number of Restyle's, a difference or a deviation too, on this scale."""
        return None if value is None else value * self.factor


OURS = PaperScale(1.0, 0, "")
HUNDREDTH = PaperScale(0.01, 2, "a hundredth of")
PERCENT = PaperScale(100.0, 0, "a hundred times")


def scale_notes(scales: Mapping[str, PaperScale], heads: Iterable[tuple[str, str]]) -> list[str]:
    """A sentence for the columns that share another scale than Restyle's.

    Args:
        scales: The scales by metric.
        heads: The columns that are shown, each a metric and its head.
    """
    by_scale: dict[PaperScale, list[str]] = {}
    for metric, head in heads:
        if scales.get(metric, OURS) != OURS:
            by_scale.setdefault(scales[metric], []).append(head)
    return [
        f"{', '.join(shown)}: on the paper's scale, {scale.words} the number that Restyle has elsewhere."
        for scale, shown in by_scale.items()
    ]
