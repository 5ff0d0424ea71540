"""The line of each key of a TOML text; `tomllib` does not say it.

The text has been parsed by `tomllib` before, so this reads it without checking it.
"""

import re

Path = tuple[str | int, ...]

SKIP = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
PART = re.compile(r'[ \t]*(?:"((?:[^"\\]|\\.)*)"|\'([^\']*)\'|([A-Za-z0-9_-]+))[ \t]*')
STRING = re.compile(r'"""(?:[^\\]|\\.)*?"{3,5}|\'\'\'.*?\'{3,5}|"(?:[^"\\\n]|\\.)*"|\'[^\'\n]*\'', re.DOTALL)
BARE = re.compile(r"[^,\]}#\n]+")


def lines_of(text: str) -> dict[Path, int]:
    """The line, from 1, of every table, key and list element: {("systems", 0, "name"): 12}."""
    scanner = _Scanner(text.replace("\r\n", "\n"))
    scanner.document()
    return scanner.lines


class _Scanner:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.line = 1
        self.counted = 0
        self.lines: dict[Path, int] = {}
        self.counts: dict[Path, int] = {}

    def document(self) -> None:
        table: Path = ()
        while not self._ended():
            if self._takes("[["):
                table = self._element(self._resolved(self._key()))
                self._mark(table)
                self.at += 2
            elif self._takes("["):
                table = self._resolved(self._key())
                self._mark(table)
                self.at += 1
            else:
                self._pair(table)

    def _element(self, path: Path) -> Path:
        """The next element of an array of tables."""
        self.counts[path] = self.counts.get(path, -1) + 1
        self.lines.setdefault(path, self._line())
        return (*path, self.counts[path])

    def _resolved(self, key: Path) -> Path:
        """A header's key, with the number of the latest element after each array of tables before its last part."""
        path: Path = ()
        for number, part in enumerate(key):
            path = (*path, part)
            if number < len(key) - 1 and path in self.counts:
                path = (*path, self.counts[path])
        return path

    def _pair(self, table: Path) -> None:
        path = (*table, *self._key())
        self._mark(path)
        self._takes("=")
        self._value(path)

    def _value(self, path: Path) -> None:
        self._skip()
        if string := STRING.match(self.text, self.at):
            self.at = string.end()
        elif self._takes("["):
            number = 0
            while not self._closes("]"):
                self._mark((*path, number))
                self._value((*path, number))
                number += 1
        elif self._takes("{"):
            while not self._closes("}"):
                self._pair(path)
        elif bare := BARE.match(self.text, self.at):
            self.at = bare.end()
        else:  # never on a text that tomllib took; moving on keeps the loops finite
            self.at += 1

    def _key(self) -> Path:
        parts: list[str] = []
        while part := PART.match(self.text, self.at):
            parts.append(next((group for group in part.groups() if group is not None), ""))
            self.at = part.end()
            if not self.text.startswith(".", self.at):
                return tuple(parts)
            self.at += 1
        self.at += 1
        return tuple(parts)

    def _mark(self, path: Path) -> None:
        self.lines.setdefault(path, self._line())

    def _line(self) -> int:
        self.line += self.text.count("\n", self.counted, self.at)
        self.counted = self.at
        return self.line

    def _skip(self) -> None:
        if match := SKIP.match(self.text, self.at):
            self.at = match.end()

    def _ended(self) -> bool:
        self._skip()
        return self.at >= len(self.text)

    def _takes(self, sign: str) -> bool:
        self._skip()
        if self.text.startswith(sign, self.at):
            self.at += len(sign)
            return True
        return False

    def _closes(self, bracket: str) -> bool:
        """At the end of a list or table, its bracket taken; a comma before the next element is taken too."""
        self._takes(",")
        return self._takes(bracket) or self.at >= len(self.text)
