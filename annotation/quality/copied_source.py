"""Copied source: the written text is the source nearly word for word."""

from collections.abc import Iterator

from rapidfuzz.distance import LCSseq

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
from foundation.options import percent
from foundation.translation import translatable
from foundation.word_diff import runs


class CopiedSource(Check):
    name = "copied_source"
    label = "Copied source"
    about = "Finds people who often copy the source with only a word or two changed."
    defaults = {"alike": 0.9, "most": 0.3, "least_items": 5, "least_words": 4}

    def idle(self, about: CampaignTraits) -> str:
        return "" if about.writes else translatable("This kind of work has no written texts.")

    def findings(self, work: AnnotatorWork, settings: Settings) -> Iterator[Finding]:
        """Alike is the longest common run of words, in order, beside the longer of the two. Equal texts are left to
        `untouched_output`, since a kind of work may allow them."""
        written = [
            answer for answer in work.answers if answer.after and len(runs(answer.before)) >= settings["least_words"]
        ]
        alike = [(text, value) for text in written if (value := _alike(text)) >= settings["alike"]]
        if len(written) < settings["least_items"] or len(alike) <= settings["most"] * len(written):
            return
        yield self.found(
            f"{len(alike)} of {len(written)} texts ({percent(len(alike) / len(written))}) are nearly their source.",
            [evidence_of(text, f"{percent(value)}: {short(text.after)}") for text, value in alike],
        )


def _alike(given: CheckedAnswer) -> float:
    """From 0 to 1; 0 for a text that is its source."""
    before, after = runs(given.before.casefold()), runs(given.after.casefold())
    return 0.0 if before == after else float(LCSseq.normalized_similarity(before, after))


CHECK = CopiedSource()
