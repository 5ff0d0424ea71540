"""How wide words are in points, of Computer Modern at 10 points: other text fonts are hardly wider."""

from functools import cache

_PLAIN = {
    2.78: "iljI.,:;'!|[]`", 3.06: "f", 3.33: " -", 3.9: "rst()", 4.44: "ce", 5.0: "aoxvy0123456789/*\"", 5.28: "kq_?",
    5.56: "bdhnpuS", 6.5: "zEFLPZ", 7.3: "wACGRTUVXY", 7.8: "BDHJKNOQ+=<>~^#&$\\", 8.4: "m%{}", 9.2: "M", 10.3: "W@",
}  # fmt: skip
WIDTHS = {mark: width for width, marks in _PLAIN.items() for mark in marks}
OTHER = 5.6  # of letters with accents and of signs
FOREIGN = 50.0  # of a letter that stands there by its number
BOLD = 1.16


@cache
def width_of(text: str, *, bold: bool = False) -> float:
    """Of one line."""
    whole = sum(WIDTHS.get(mark, OTHER if ord(mark) < 0x2E80 else FOREIGN) for mark in text)
    return whole * BOLD if bold else whole


def wrapped(text: str, width: float) -> list[str]:
    """The words in lines of at most that width, where words are not wider by themselves."""
    lines: list[str] = []
    for word in text.split():
        if lines and width_of(f"{lines[-1]} {word}") <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines or [""]


def lines_of(text: str, width: float) -> int:
    """How many lines a text takes in a column of that width."""
    return sum(max(1, -int(-width_of(line) // width)) for line in wrapped(text, width))
