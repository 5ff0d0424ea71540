"""Somebody's own progress as the page gets it with each item: the numbers, which its script puts into words."""

from typing import Any

from django.utils.safestring import SafeString

from annotation.progress.own_progress import OwnProgress


def as_data(progress: OwnProgress | None) -> SafeString:
    """The numbers of `js/annotation/progress.js` as data attributes; what is not told has none."""
    if progress is None:
        return SafeString("")
    numbers: dict[str, Any] = {"done": progress.done, "today": progress.today, "left": progress.left}
    numbers |= {"more": 1 if progress.is_more else None, "due": progress.due}
    numbers |= {"pace": None if progress.pace is None else f"{progress.pace:.1f}"}
    return SafeString("".join(f' data-{name}="{told}"' for name, told in numbers.items() if told is not None))
