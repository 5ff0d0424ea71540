"""How a network's texts are looked for. Without torch: forms are made of it."""

from dataclasses import dataclass

from foundation.options import option


@dataclass(frozen=True)
class BeamSearchOptions:
    """Of greedy and beam search; both penalties as Wu et al. (2016) have them, section 7."""

    beam: int = option(5, "Hypotheses of a text at a time; 1 is greedy search", low=1, high=100)
    length_penalty: float = option(0.0, "How much longer texts are favoured (Wu et al. 2016)", low=0, high=5)
    coverage_penalty: float = option(0.0, "How much unread source words cost (Wu et al. 2016)", low=0, high=5)
    replace_unknown: bool = option(True, "Put the source word of most attention where a word is unknown", rare=True)
    longest: int = option(
        200, "Words of an output at most, beside twice its source's and ten", low=1, high=2000, rare=True
    )

    def limit(self, words: int) -> int:
        """How many words the output of a source of so many words has at most."""
        return min(self.longest, 2 * words + 10)

    def length(self, words: int) -> float:
        """What the log-probability of so many words, END among them, is divided by."""
        return float(((5 + words) / 6) ** self.length_penalty)
