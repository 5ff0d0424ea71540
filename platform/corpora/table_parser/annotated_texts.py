"""The texts of WebAnno TSV 3.x, as INCEpTION and WebAnno export them: a row a sentence, without its marks."""

import re
from collections.abc import Iterator, Sequence

from corpora.table_parser.delimited import Texts
from corpora.table_parser.notes import Note, Question
from foundation.translation import translatable

MARK = "#FORMAT=WebAnno TSV 3"
LAYER = re.compile(r"^#T_(?:SP|CH|RL)=([^|\r\n]+)")
TEXT = "#Text="
ESCAPED = re.compile(r"\\([tnrbf\\])")
MEANT = {"t": "\t", "n": "\n", "r": "\r", "b": "\b", "f": "\f", "\\": "\\"}


def is_annotated(texts: Texts) -> bool:
    return texts.head.startswith(MARK)


class AnnotatedTexts:
    """A reader of their sentences; a sentence of several lines has a `#Text=` for each."""

    kind = "lines"
    delimiter = ""
    names: tuple[str, ...] | None = ("sentence",)
    questions: tuple[Question, ...] = ()

    def __init__(self, texts: Texts) -> None:
        self.texts, self.encoding, self.guessed = texts, texts.encoding, texts.guessed
        layers = [match[1] for line in texts.head.splitlines() if (match := LAYER.match(line))]
        said = translatable("The sentences are read; what was marked in them stays in the file: {layers}.")
        self.notes = [Note(said, values={"layers": ", ".join(layers)})] if layers else []

    def records(self) -> Iterator[tuple[int, Sequence[str]]]:
        first, parts = 0, list[str]()
        for number, line in enumerate(self.texts.lines(), 1):
            if line.startswith(TEXT):
                first = first or number
                text = line.removeprefix(TEXT).rstrip("\r\n")
                parts.append(ESCAPED.sub(lambda match: MEANT[match[1]], text))
            elif parts:
                yield first, ("\n".join(parts),)
                first, parts = 0, []
        if parts:
            yield first, ("\n".join(parts),)
