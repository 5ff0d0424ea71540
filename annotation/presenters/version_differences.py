"""Two versions of the same work side by side, in the lines in which they differ, so that somebody may choose."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from annotation.task_types import TaskType


def two_versions(
    kind: TaskType, content: Any, settings: Any, order: Sequence[int], here: Mapping[str, Any], there: Mapping[str, Any]
) -> dict[str, list[str]]:
    """The lines of `here` and `there`, two drafts or answers as they are stored, without those that both have."""
    said = {name: _lines(kind, dict(one), content, order) for name, one in (("here", here), ("there", there))}
    both = set(said["here"]) & set(said["there"])
    return {name: [line for line in lines if line not in both] for name, lines in said.items()}


def _lines(kind: TaskType, said: dict[str, Any], content: Any, order: Sequence[int]) -> list[str]:
    """The text that it writes first, where it writes one; then all that it holds, place by place."""
    texts = kind.texts(said, content)
    written = [texts[1]] if texts and texts[1].strip() else []
    rest = [line for line, value in _named_values(kind.arranged(said, order)) if value not in written]
    return written + rest


def _named_values(value: Any, name: str = "") -> Iterator[tuple[str, str]]:
    """Each value with its name as a line, and the value alone; what says nothing is left out."""
    if isinstance(value, Mapping):
        for key, part in value.items():
            yield from _named_values(part, f"{name} {key}".strip())
    elif isinstance(value, list):
        for place, part in enumerate(value, 1):
            yield from _named_values(part, f"{name} {place}".strip())
    elif value not in ("", None, False):
        yield f"{name}: {value}" if value is not True else name, str(value)
