"""Markers and texts to retrieve as files of lines.

    markers.tsv    style TAB salience TAB marker, the most salient first
    retrieved.tsv  style TAB text of the train split, as it was written

A style is its place among the styles, 0 or 1.
"""

from collections.abc import Sequence
from pathlib import Path

from foundation.errors import UserError
from modelserving.attribute_markers.style_markers import StyleMarkers

MARKERS, TEXTS = "markers.tsv", "retrieved.tsv"


def save_style_markers(known: StyleMarkers, folder: Path) -> None:
    """Write both files; that of texts where there are some to retrieve."""
    _write(folder / MARKERS, [
        (str(place), repr(value), marker)
        for place, found in enumerate(known.markers.values()) for marker, value in found.items()
    ])  # fmt: skip
    if not known.texts:
        return
    _write(folder / TEXTS, [
        (str(place), " ".join(text.split())) for place, lines in enumerate(known.texts.values()) for text in lines
    ])  # fmt: skip


def load_style_markers(folder: Path, styles: Sequence[str], longest: int, retrieves: bool = True) -> StyleMarkers:
    """What was saved there; a UserError names the file that is missing or broken.

    Without `retrieves` there are no texts to retrieve.
    """
    markers: dict[str, dict[str, float]] = {style: {} for style in styles}
    for place, value, marker in _read(folder / MARKERS, 3, len(styles)):
        try:
            markers[styles[int(place)]][marker] = float(value)
        except ValueError:
            raise _broken(folder / MARKERS) from None
    return StyleMarkers(markers, _texts(folder / TEXTS, styles) if retrieves else {}, longest)


def _texts(path: Path, styles: Sequence[str]) -> dict[str, list[str]]:
    texts: dict[str, list[str]] = {style: [] for style in styles}
    for place, text in _read(path, 2, len(styles)):
        texts[styles[int(place)]].append(text)
    if not all(map(len, texts.values())):
        raise _broken(path)
    return texts


def _write(path: Path, rows: Sequence[Sequence[str]]) -> None:
    path.write_text("".join("\t".join(row) + "\n" for row in rows), encoding="utf-8", newline="\n")


def _read(path: Path, width: int, styles: int) -> list[list[str]]:
    try:
        lines = path.read_bytes().decode().split("\n")
    except (OSError, UnicodeDecodeError):
        raise _broken(path) from None
    rows = [line.split("\t") for line in lines[:-1]]
    places = set(map(str, range(styles)))
    if lines[-1] or not rows or any(len(row) != width or row[0] not in places for row in rows):
        raise _broken(path)
    return rows


def _broken(path: Path) -> UserError:
    return UserError("The file of markers or of texts to retrieve is missing or broken.", where=path.name)
