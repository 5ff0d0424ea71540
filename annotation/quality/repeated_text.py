"""Repeated text: the same text handed in for different items."""

from collections import defaultdict
from collections.abc import Iterator

from annotation.quality._base import (
    AnnotatorWork,
    CampaignTraits,
    Check,
    CheckedAnswer,
    Finding,
    Settings,
    evidence_of,
    short,
)
from foundation.translation import translatable
from foundation.word_diff import runs


class RepeatedText(Check):
    name = "repeated_text"
    label = "Repeated text"
    about = "Finds people who submit the same text for several different sources."
    defaults = {"times": 3, "least_words": 3}

    def idle(self, about: CampaignTraits) -> str:
        return "" if about.writes else translatable("This kind of work has no written texts.")

    def findings(self, work: AnnotatorWork, settings: Settings) -> Iterator[Finding]:
        """Case and space aside; items with the same source may well get the same text."""
        groups: dict[str, list[CheckedAnswer]] = defaultdict(list)
        for answer in work.answers:
            words = runs(answer.after.casefold())
            if len(words) >= settings["least_words"]:
                groups[" ".join(words)].append(answer)
        for same in sorted(groups.values(), key=len, reverse=True):
            sources = {" ".join(text.before.casefold().split()) for text in same}
            if len(sources) >= settings["times"]:
                yield self.found(
                    f"The same text stands for {len(sources)} different sources: “{short(same[0].after)}”",
                    [evidence_of(text, short(text.before)) for text in same],
                )


CHECK = RepeatedText()
