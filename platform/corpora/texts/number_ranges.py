"""Numbers as people write them: `3, 7-20`."""

import re
from collections.abc import Sequence
from itertools import groupby

from foundation.errors import UserError

RANGE = re.compile(r"\s*(\d{1,9})\s*(?:[-–]\s*(\d{1,9})\s*)?\Z")
MOST = 1_000_000


def parse_ranges(text: str, *, where: str = "numbers") -> list[int]:
    """`3, 7-9` as [3, 7, 8, 9]; a UserError names a part that is no range."""
    found: dict[int, None] = {}
    for part in filter(str.strip, re.split(r"[,;\n]", text)):
        match = RANGE.match(part)
        if match is None:
            raise UserError(
                "'{part}' is neither a number nor a range; write 3, 7-20.", part=part.strip()[:40], where=where
            )
        first, last = int(match[1]), int(match[2] or match[1])
        if last < first or last - first >= MOST:
            raise UserError(
                "'{part}' is not a range from the lower to the higher number.", part=part.strip(), where=where
            )
        found.update(dict.fromkeys(range(first, last + 1)))
        if len(found) > MOST:
            raise UserError("Give at most {most:,} numbers at once.", most=MOST, where=where)
    return list(found)


def format_ranges(numbers: Sequence[int]) -> str:
    """[3, 7, 8, 9] as `3, 7-9`."""
    runs = [[n for _, n in run] for _, run in groupby(enumerate(sorted(numbers)), lambda pair: pair[1] - pair[0])]
    return ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)
