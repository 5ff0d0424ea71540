"""Match judgements with the sentences and texts of a study."""

from collections import defaultdict
from collections.abc import Mapping
from typing import NamedTuple

from corpora.models import Output, Reference, Sentence, Study
from corpora.texts.columns import plain
from corpora.texts.units import text_of, units_of
from evaluation.imported_judgements.rows import RawJudgement
from foundation.text_keys import ByText, name_key, text_key
from foundation.translation import translate


class MatchedText(NamedTuple):
    """The source's text and the style it is to become, the judged text, and whether the study has that text.

    `system` is the name of the system that it was given to; "" where the row names none, or one that did not write the
    text (then it is `stray`): such a judgement is of the text, whoever wrote it. `bent`: the row has other capitals.
    `by_output`: the row names no source, or one by a number that has no such text, and the judged text is that of one
    alone. `number` is the source's in its direction: of a source that stands several times, that of the one which the
    row numbers, else of the first where the named system wrote the text, or where it is known.
    """

    sentence: int
    source: str
    style: str
    output: str
    known: bool
    system: str = ""
    stray: bool = False
    bent: bool = False
    by_output: bool = False
    number: int = 0


class SentencesByText:
    """The sentences of a study by the text of their source; the first where a source stands several times, if no number
    says which of them."""

    def __init__(self, study: Study) -> None:
        rows = Sentence.objects.filter(direction__study=study).order_by("direction__number", "number")
        texts: dict[str, list[tuple[str, int]]] = defaultdict(list)
        self.by_number: dict[tuple[str, int], tuple[int, str]] = {}
        for pk, text, style, number in rows.values_list("pk", "text", "direction__target_style", "number"):
            texts[style].append((text, pk))
            self.by_number[style, number] = pk, text
        self.by_style = {style: ByText(of) for style, of in texts.items()}
        self._places: dict[tuple[str, str], list[int]] = defaultdict(list)
        for style, of in texts.items():
            for text, pk in of:
                self._places[style, text_key(text)].append(pk)
        self._doubled = {key for (_style, key), places in self._places.items() if len(places) > 1}

    def find(self, text: str, style: str, number: int = 0) -> int | None:
        """The sentence with this source in the direction to a style; without a style where one direction has it."""
        numbered, its = self.by_number.get((style, number), (None, ""))
        if numbered is not None and text_key(its) == text_key(text):
            return numbered
        if style in self.by_style:
            return self.by_style[style].get(text)
        found = [pk for by_text in self.by_style.values() if (pk := by_text.get(text)) is not None]
        return found[0] if not style and len(found) == 1 else None

    def places(self, text: str, style: str) -> list[int]:
        """All sentences of a direction with this source, the first one first."""
        return self._places[style, text_key(text)]

    def doubled(self, text: str) -> bool:
        """Whether a direction has this source several times."""
        return text_key(text) in self._doubled

    def numbered(self, style: str, number: int) -> int | None:
        return self.by_number.get((style, number), (None, ""))[0]


class Matcher:
    """Finds the texts of one study; all of it is read once. `first` is the number of the first source in the table.

    `tells_outputs`: the table has a column of outputs, so that an empty one of no named system is an empty text.
    """

    def __init__(self, study: Study, direction: str = "", first: int = 1, *, tells_outputs: bool = False) -> None:
        self.first, self.tells_outputs = first, tells_outputs
        directions = list(study.directions.all())
        self.styles = {
            name: direction_row.target_style
            for direction_row in directions
            for name in (direction_row.name, direction_row.target_style)
        }
        self.style = self.styles.get(direction, directions[0].target_style if len(directions) == 1 else "")
        self.by_text = SentencesByText(study)
        rows = Sentence.objects.filter(direction__study=study).select_related("direction").order_by("number")
        self.sentences = {row.pk: row for row in rows}
        self.by_id = {f"{row.direction.name}-{row.number}": row.pk for row in rows}
        self._read_texts(study)

    def _read_texts(self, study: Study) -> None:
        """The outputs by system and sentence; all texts that somebody may have judged, by sentence."""
        self.outputs: dict[str, dict[int, str]] = {system.name: {} for system in study.systems.all()}
        for name, pk, text in Output.objects.filter(system__study=study).values_list(
            "system__name", "sentence", "text"
        ):
            self.outputs[name][pk] = text
        sets: dict[int, dict[int, str]] = defaultdict(dict)
        references = Reference.objects.filter(set__direction__study=study)
        for key, pk, text, marks in references.values_list("set", "sentence", "text", "set__marks"):
            sets[key][pk] = plain(text, marks)
        self.units = {unit.ids[0]: unit.ids for unit in units_of(study)}
        sources = {pk: row.text for pk, row in self.sentences.items()}
        self.known: dict[int, ByText[str]] = {}
        for first, ids in self.units.items():
            beside = [text_of(ids, texts, partly=True) for texts in sets.values()] + [text_of(ids, sources)]
            written = [_written(ids, texts) for texts in self.outputs.values()] + [text or None for text in beside]
            self.known[first] = ByText((text, text) for text in written if text is not None)
        found: dict[str, set[int]] = defaultdict(set)
        for place, by_text in self.known.items():
            for judged in by_text.exact:
                found[judged].add(place)
        self.by_output = {judged: next(iter(places)) for judged, places in found.items() if len(places) == 1}
        self.names = ByText((name_key(name), name) for name in self.outputs)

    def match(self, piece: RawJudgement) -> MatchedText | str:
        """The text that was judged; or the reason why there is no such text here."""
        number, named = self._number_and_system(piece)
        if piece.direction and piece.direction not in self.styles:
            return translate("“{name}” is none of the study's directions or styles", name=piece.direction)
        style = self.styles.get(piece.direction, "") or self.style
        sentence = self._sentence(piece.source, number, style)
        by_output = not piece.source and bool(piece.output) and not self._wrote(sentence, piece.output)
        if by_output:
            found = self.by_output.get(text_key(piece.output))
            if found is None and sentence is None and not number:
                return translate("it names no source, and its text is that of none or of several")
            by_output, sentence = found is not None, sentence if found is None else found
        if sentence is None:
            there = piece.source or number
            return translate("its source is not in the study") if there else translate("it names no source")
        system = self.names.get(name_key(named)) or ""
        if piece.source.strip():
            sentence = self._place(sentence, number, piece.output, system)
        written = self.written_by(system, sentence)
        output = piece.output
        texts = self.known.get(sentence) or ByText[str](())
        if not output.strip() and (named or not self.tells_outputs or texts.get("") is None):
            if not system:
                if named:
                    return translate("the study has no system “{name}”", name=named)
                return translate("it names neither output nor system")
            if written is None:
                return translate("{system} has no output for it", system=system)
            output = written
        row, known = self.sentences[sentence], texts.get(output)
        bent = known is not None and text_key(known) != text_key(output)
        output = output if known is None else known
        wrote = written is not None and text_key(written) == text_key(output)
        return MatchedText(
            sentence, row.text, row.direction.target_style, output, known is not None,
            system if wrote else "", bool(named) and not wrote, bent, by_output, row.number,
        )  # fmt: skip

    def _wrote(self, sentence: int | None, output: str) -> bool:
        """Whether somebody wrote this text for the sentence; a number may be of another table's counting."""
        texts = self.known.get(sentence) if sentence is not None else None
        return texts is not None and texts.get(output) is not None

    def _sentence(self, source: str, number: str, style: str) -> int | None:
        if number in self.by_id:
            return self.by_id[number]
        place = int(number) + 1 - self.first if number.isdecimal() and len(number) < 10 else 0
        if not source.strip():
            return self.by_text.numbered(style, place)
        # The number may be anybody's own: it only says which of the sources with this text.
        found = self.by_text.find(source, style, place)
        return self.by_text.find(source, "") if found is None else found

    def _place(self, sentence: int, number: str, output: str, system: str) -> int:
        """The place of a source that a row is about: the one that it numbers, else the first that fits.

        A place fits if the named system wrote the text there, or any text where the row has none. If none does, the
        first place where the text is known is taken.
        """
        row, key = self.sentences[sentence], text_key(output)
        places = self.by_text.places(row.text, row.direction.target_style)
        numbered = number in self.by_id or (number.isdecimal() and int(number) + 1 - self.first == row.number)
        if len(places) < 2 or numbered:
            return sentence
        texts = {place: self.known.get(place) or ByText[str](()) for place in places}
        wrote = {place: text for place in places if (text := self.written_by(system, place)) is not None}
        of_system = [place for place, text in wrote.items() if text_key(text) == key] or ([] if key else [*wrote])
        exact = [place for place, known in texts.items() if key in known.exact]
        alike = [place for place, known in texts.items() if known.get(output) is not None]
        return next(iter([*of_system, *exact, *alike]), sentence)

    def written_by(self, system: str, sentence: int) -> str | None:
        """A system's text for a unit, by its first sentence, or for a sentence; None where it has no output."""
        return _written(self.units.get(sentence, [sentence]), self.outputs[system]) if system else None

    def _number_and_system(self, piece: RawJudgement) -> tuple[str, str]:
        """A number that has a system's name behind it, such as 12_Rules, says both."""
        number = piece.number
        if number and number not in self.by_id and not number.isdecimal():
            for name in self.outputs:
                if number.casefold().endswith(name.casefold()):
                    rest = number[: len(number) - len(name)].rstrip(" _-:/|#.")
                    if rest.isdecimal() or rest in self.by_id:
                        return rest, name
        return number, piece.system


def _written(ids: list[int], texts: Mapping[int, str]) -> str | None:
    """The text written for a unit, which may be empty; None where a sentence of it has no text."""
    return text_of(ids, texts) if all(pk in texts for pk in ids) else None
