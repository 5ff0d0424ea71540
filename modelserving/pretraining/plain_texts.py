"""Plain text from files: a line is a text. Read as a stream, however large; some lines are held back to measure by."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from foundation.errors import UserError
from modelserving.training.dataset import Lines, write_lines

ENDING = ".txt"
EACH, FROM, MOST = 100, 200, 1_000  # each hundredth line is held back, where there are 200 at least; at most 1,000


def files_named(paths: Sequence[Path]) -> list[Path]:
    """The files, and those of folders that end in .txt, in the order of their names.

    A UserError where there is none.
    """
    found = []
    for path in paths:
        inner = sorted(one for one in path.rglob(f"*{ENDING}") if one.is_file()) if path.is_dir() else [path]
        if not inner or not inner[0].is_file():
            what = f"There is no file that ends in {ENDING} in it." if path.is_dir() else "There is no such file."
            raise UserError(what, where=str(path))
        found += inner
    return found


def lines_of(paths: Sequence[Path]) -> Iterator[str]:
    """The lines that are not empty; a UserError where a file is no text in UTF-8."""
    for path in paths:
        try:
            with path.open(encoding="utf-8-sig") as file:
                for number, line in enumerate(file, 1):
                    if "\0" in line:
                        raise UserError(
                            "Line {number:,} holds a NUL character: this is no plain text.",
                            number=number,
                            where=path.name,
                        )
                    if line.strip():
                        yield " ".join(line.splitlines()).strip()
        except UnicodeDecodeError:
            raise UserError("The file is not in UTF-8.", where=path.name) from None
        except OSError as error:
            raise UserError("The file cannot be read ({strerror}).", strerror=error.strerror, where=path.name) from None


@dataclass(frozen=True)
class TextFolder:
    """Texts that were written into a folder, read from there line by line; those to measure by apart."""

    folder: Path

    @classmethod
    def write(cls, folder: Path, train: Iterator[str], tune: Iterator[str] | None = None) -> "TextFolder":
        """Write texts; where there are none to measure by, some of the others are held back."""
        folder.mkdir(parents=True, exist_ok=True)
        if tune is not None:
            write_lines(folder / "tune", tune)
            write_lines(folder / "train", train)
            return cls(folder)
        write_lines(folder / "all", train)
        lines = Lines(folder / "all")
        held = set(range(EACH - 1, len(lines), EACH)[:MOST]) if len(lines) >= FROM else set[int]()
        write_lines(folder / "tune", (lines[place] for place in sorted(held)))
        write_lines(folder / "train", (line for place, line in enumerate(lines) if place not in held))
        (folder / "all").unlink()
        return cls(folder)

    @cached_property
    def train(self) -> Lines:
        return Lines(self.folder / "train")

    @cached_property
    def tune(self) -> Lines:
        return Lines(self.folder / "tune")
