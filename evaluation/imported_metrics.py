"""Metrics whose scores were computed elsewhere and imported, which a report shows beside those of `evaluation.metrics`.

Their names begin with `imported/`, so that none has the name of a metric that is computed here.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from evaluation.metric_contract import Floats, Setting, mean_of_sums
from evaluation.metrics import METRICS

PREFIX = "imported/"
JUDGE = "judge: "  # how the name of a language model's scores begins, and of no other's
LONGEST_NAME, LONGEST_VERSION, LONGEST_SIGNATURE = 50, 100, 400


@dataclass(frozen=True)
class ScoredElsewhere:
    """A metric by its scores alone. A system's score is the mean of its sentences' scores.

    Attributes:
        name: `imported/` and the name that it came in with.
        higher_is_better: Which end is the better one. It is None if neither is.
        version: The version of the program that gave the scores; "" if nobody said.
        signature: Everything else that was said of how they were computed.
        file: The name of the file that they came in with. It is "" where a language model gave them here.
    """

    name: str
    higher_is_better: bool | None = None
    version: str = ""
    signature: str = ""
    file: str = ""

    needs: ClassVar[frozenset[str]] = frozenset()
    defaults: ClassVar[Mapping[str, Setting]] = {}
    poles: ClassVar[None] = None
    aspect: ClassVar[str] = "overall"
    unit: ClassVar[str] = "as its program gives it"

    @property
    def own_name(self) -> str:
        """The name that it came in with."""
        return self.name.removeprefix(PREFIX)

    @property
    def label(self) -> str:
        return f"{self.own_name} ({'language model, uncorrected' if is_judge(self.own_name) else 'imported'})"

    @property
    def signed(self) -> str:
        """The signature of its scores."""
        parts = {
            "metric": self.own_name,
            "imported": "judge" if is_judge(self.own_name) else "yes",
            "version": self.version or "unknown",
        }
        parts |= {"signature": self.signature} if self.signature else {}
        return "|".join(f"{key}:{value}" for key, value in parts.items())

    def corpus_of(self, sums: Floats) -> Floats:
        """As of a metric: the mean of the sentences whose statistics were summed."""
        return mean_of_sums(sums)


def is_judge(own_name: str) -> bool:
    """Whether scores of this name are those of a language model that this site asked."""
    return own_name.startswith(JUDGE)


def is_metric(name: str) -> bool:
    """Whether a name is that of a metric, computed here or imported."""
    return name.startswith(PREFIX) or name in METRICS


def metric_of(name: str) -> Any:
    """The metric of a name. Only a snapshot knows more than the name of an imported one."""
    return ScoredElsewhere(name) if name.startswith(PREFIX) else METRICS[name]
