"""Speed: items that were answered faster than they can be read, or far faster than by the others."""

from collections.abc import Iterator
from statistics import median

from annotation.quality._base import AnnotatorWork, Check, CheckedAnswer, Finding, Settings, evidence_of
from foundation.options import percent


class Speed(Check):
    name = "speed"
    label = "Speed"
    about = (
        "Finds people whose answers often took far less time than the others' answers, or less time than "
        "reading the item takes."
    )
    defaults = {"part_of_median": 0.3, "seconds_a_word": 0.06, "most": 0.2, "least_items": 5}
    bounds = {"seconds_a_word": (0.0, 60.0)}

    def findings(self, work: AnnotatorWork, settings: Settings) -> Iterator[Finding]:
        """Quick readers take about 0.2 s a word; the floor stands far below, since not all of an item must be read."""
        timed = [(answer, answer.seconds) for answer in work.answers if answer.seconds is not None]
        fast = [(given, seconds) for given, seconds in timed if seconds < self._floor(given, work, settings)]
        if len(timed) < settings["least_items"] or len(fast) <= settings["most"] * len(timed):
            return
        own, others = median(seconds for _, seconds in timed), work.median_seconds
        beside = f"; the others' median is {others:.1f} s" if others is not None else ""
        yield self.found(
            f"{len(fast)} of {len(timed)} answers ({percent(len(fast) / len(timed))}) came too fast to have been read."
            f" Their median is {own:.1f} s{beside}.",
            [evidence_of(given, _told(given, seconds)) for given, seconds in fast],
        )

    def _floor(self, given: CheckedAnswer, work: AnnotatorWork, settings: Settings) -> float:
        """Seconds below which an answer is too fast."""
        of_median = settings["part_of_median"] * work.median_seconds if work.median_seconds is not None else 0.0
        return max(float(of_median), float(settings["seconds_a_word"]) * given.words)


def _told(given: CheckedAnswer, seconds: float) -> str:
    since = "" if given.counted else " since the answer before, as the page counted none"
    return f"{seconds:.1f} s{since}, {given.words} words"


CHECK = Speed()
