"""How a network's texts are looked for. Without torch: forms are made of it."""

from dataclasses import dataclass

from foundation.errors import UserError
from foundation.options import option
from modelserving.training.option_groups import SAMPLING, SEARCH


@dataclass(frozen=True)
class BeamSearchOptions:
    """Of greedy and beam search; both penalties as Wu et al. (2016) have them, section 7. And of sampling instead."""

    beam: int = option(5, "Hypotheses of a text at a time; 1 is greedy search", low=1, high=100, group=SEARCH)
    length_penalty: float = option(
        0.0, "How much longer texts are favoured (Wu et al. 2016)", low=0, high=5, group=SEARCH
    )
    coverage_penalty: float = option(
        0.0, "How much unread source words cost (Wu et al. 2016)", low=0, high=5, group=SEARCH
    )
    replace_unknown: bool = option(
        True, "Put the source word of most attention where a word is unknown", rare=True, group=SEARCH
    )
    longest: int = option(
        200, "Words of an output at most, beside twice its source's and ten", low=1, high=2000, rare=True, group=SEARCH
    )
    shortest: int = option(0, "Words of an output at least", low=0, high=2000, rare=True, group=SEARCH)
    no_repeat: int = option(
        0, "So many words in a row stand nowhere twice in an output (Paulus et al. 2018); 0 for no such rule",
        low=0, high=20, rare=True, group=SEARCH,
    )  # fmt: skip
    sample: bool = option(False, "Draw each word by its probability, without a search", rare=True, group=SAMPLING)
    temperature: float = option(
        1.0, "What logarithms are divided by before a word is drawn; below 1 likely words are drawn more often",
        low=0.01, high=100, rare=True, group=SAMPLING,
    )  # fmt: skip
    top_p: float = option(
        1.0, "A word is drawn among the likeliest that have this share of the probability (Holtzman et al. 2020)",
        low=0.001, high=1, rare=True, group=SAMPLING,
    )  # fmt: skip
    seed: int = option(
        0, "Of the draws; an output depends on its source and this alone", low=0, rare=True, group=SAMPLING
    )

    def __post_init__(self) -> None:
        if self.shortest > self.longest:
            raise UserError("Expected at most the longest, {longest} words.", longest=self.longest, where="shortest")

    def limit(self, words: int) -> int:
        """How many words the output of a source of so many words has at most."""
        return max(self.shortest, min(self.longest, 2 * words + 10))

    def length(self, words: int) -> float:
        """What the log-probability of so many words, END among them, is divided by."""
        return float(((5 + words) / 6) ** self.length_penalty)
