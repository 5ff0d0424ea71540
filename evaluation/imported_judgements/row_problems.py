"""Rows that cannot be used, counted by what is wrong with them."""

from dataclasses import dataclass, field


@dataclass
class RowProblems:
    """Rows that cannot be used, by what is wrong with them: how many, and the first lines."""

    lines: dict[str, list[int]] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)

    def add(self, what: str, line: int) -> None:
        self.counts[what] = self.counts.get(what, 0) + 1
        lines = self.lines.setdefault(what, [])
        if len(lines) < 5 and line not in lines:
            lines.append(line)

    @property
    def count(self) -> int:
        return sum(self.counts.values())

    def summary(self) -> str:
        """What is wrong, each with its first lines."""
        return "; ".join(
            f"{what} (line{'s' if len(lines) > 1 else ''} {', '.join(map(str, lines))}"
            f"{' and others' if self.counts[what] > len(lines) else ''})"
            for what, lines in self.lines.items()
        )


def quoted(text: str) -> str:
    """A text in one line, cut to 60 characters, in quotation marks."""
    line = " ".join(text.split())
    return f"“{line}”" if len(line) <= 60 else f"“{line[:60]}…”"
