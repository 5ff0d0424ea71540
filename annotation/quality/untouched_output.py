"""Untouched output: texts handed in as they were, and the same answer given again and again (straight-lining)."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from annotation.quality._base import AnnotatorWork, Check, CheckedAnswer, Finding, Settings, evidence_of, short
from foundation.options import percent

SCALES = 3  # numbers in an answer from which one value for all of them says something


class UntouchedOutput(Check):
    name = "untouched_output"
    label = "Untouched output"
    about = (
        "Finds people who leave many texts unchanged, give one value on all scales, or repeat the same "
        "answer many times in a row."
    )
    defaults = {"most": 0.5, "least_items": 5, "in_row": 15}

    def findings(self, work: AnnotatorWork, settings: Settings) -> Iterator[Finding]:
        yield from self._unchanged(work.answers, settings)
        yield from self._one_value(work.answers, settings)
        yield from self._in_row(work.answers, settings)

    def _unchanged(self, answers: Sequence[CheckedAnswer], settings: Settings) -> Iterator[Finding]:
        written = [answer for answer in answers if answer.after and answer.before]
        same = [text for text in written if text.before.split() == text.after.split()]
        if len(written) >= settings["least_items"] and len(same) > settings["most"] * len(written):
            part = percent(len(same) / len(written))
            yield self.found(
                f"{len(same)} of {len(written)} texts ({part}) are their source unchanged.",
                [evidence_of(text, short(text.after)) for text in same],
            )

    def _one_value(self, answers: Sequence[CheckedAnswer], settings: Settings) -> Iterator[Finding]:
        rated = [answer for answer in answers if len(answer.rated) >= SCALES]
        flat = [item for item in rated if len({each.value for each in item.rated}) == 1]
        if len(rated) >= settings["least_items"] and len(flat) > settings["most"] * len(rated):
            yield self.found(
                f"{len(flat)} of {len(rated)} items ({percent(len(flat) / len(rated))}) have one value on all scales.",
                [evidence_of(item, f"{item.rated[0].value:g} on {len(item.rated)} scales") for item in flat],
            )

    def _in_row(self, answers: Sequence[CheckedAnswer], settings: Settings) -> Iterator[Finding]:
        """The longest run of equal answers, of those that rate or choose."""
        runs = [list(run) for said, run in groupby(answers, key=_said) if said]
        longest = max(runs, key=len, default=[])
        if len(longest) >= settings["in_row"]:
            yield self.found(
                f"{len(longest)} answers in a row are the same.",
                [evidence_of(answer, ", ".join(_said(answer))[:120]) for answer in longest],
            )


def _said(given: CheckedAnswer) -> tuple[str, ...]:
    return (*(f"{place.value:g}" for place in given.rated), *(place.value for place in given.decided))


CHECK = UntouchedOutput()
