"""One device: several people of a crowd site in one browser, or from one address."""

from collections.abc import Iterator, Sequence

from annotation.quality._base import AnnotatorWork, Check, Finding, Settings

SHOWN = 10


class OneDevice(Check):
    name = "one_device"
    label = "One device"
    about = (
        "Finds people of a crowd site who came with several ids in one browser, or from one address in "
        "several browsers."
    )
    defaults = {"least_in_browser": 2, "least_from_address": 3}

    def findings(self, work: AnnotatorWork, settings: Settings) -> Iterator[Finding]:
        """The browser tells; an address and the name of a browser program are shared by many who never met."""
        if 1 + len(work.same_browser) >= settings["least_in_browser"] and work.same_browser:
            yield self._told(
                work, f"{1 + len(work.same_browser)} ids came in this one browser; the others are "
                f"{_names(work.same_browser)}. They are kept off each other's items."
            )  # fmt: skip
        if 1 + len(work.same_address) >= settings["least_from_address"] and work.same_address:
            yield self._told(
                work, f"{1 + len(work.same_address)} people came from one network address with the same kind of "
                f"browser; the others are {_names(work.same_address)}. A lab or a family looks like this, too."
            )  # fmt: skip

    def _told(self, work: AnnotatorWork, sentence: str) -> Finding:
        keys = tuple(answer.key for answer in work.answers)
        return Finding(self.name, sentence, len(keys), (), keys)


def _names(people: Sequence[str]) -> str:
    more = len(people) - SHOWN
    return ", ".join(people[:SHOWN]) + (f" and {more} more" if more > 0 else "")


CHECK = OneDevice()
