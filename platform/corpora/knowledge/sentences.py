"""Texts into sentences: sentencex (Wikimedia, MIT) and rules of our own for clinical notes.

Among the splitters that need no download, sentencex is maintained, does well on our table of cases
(tests/unit/corpora/knowledge/test_sentences.py) and takes microseconds a sentence. nupunkt splits after `b.i.d.`;
pysbd and syntok have had no release since 2021 and 2022.
"""

import re
from collections.abc import Iterator
from itertools import pairwise

import sentencex

from foundation.text_keys import DEIDENTIFIED

# Where an English sentence goes on after a full stop, and where it ends although the last word is an abbreviation.

# After these a sentence always goes on.
LEADS = (
    "dr drs mr mrs ms prof sr rev hon gen col capt lt sgt rn vs e.g i.e eg ie cf viz approx ca incl esp resp "
    "fig figs eq sec ch vol pp"
)
# After these it goes on where a number follows.
BEFORE_NUMBER = (
    "no nos nr cr bun wbc rbc hgb hct plt inr na cl po wt ht temp bp hr rr ef max min avg ext rm dept p.o i.v a.m p.m"
)
# After these it goes on where a small letter follows.
CLINICAL = (
    "hx pmh pmhx fhx shx dx ddx rx tx sx fx abd ext neuro pulm gen hosp adm disch bilat lat ant post sup inf abnl nl "
    "wnl neg pos tab tabs cap caps inj susp soln oint st mt ft jr"
)
# After these it goes on unless a word follows that begins sentences.
PERSONS = "pt pts"
STARTERS = (
    "the he she it they we i you his her their its our this that these those there here patient patients pt "
    "on in at after before when while during since if as for from with no not all was were is are has had have "
    "will please also however although because given upon by of to mr mrs ms dr "
    "denies denied reports reported started received transferred noted found underwent continued discharged admitted "
    "presented complains complained"
)

# After these a sentence of the language goes on, which sentencex does not know.
OF_LANGUAGE = {
    "de": "abb tab vgl",
    "es": "aprox art dra fig figs núm pág págs sra",
    "fr": "cf env fig figs",
}

_OF_LANGUAGE = {language: frozenset(words.split()) for language, words in OF_LANGUAGE.items()}
_LEADS, _NUMBER, _CLINICAL = set(LEADS.split()), set(BEFORE_NUMBER.split()), set(CLINICAL.split())
_PERSONS, _STARTERS = set(PERSONS.split()), set(STARTERS.split())

LAST_WORD = re.compile(r"(?<![A-Za-z./])[./]*([A-Za-z][A-Za-z./]*)\.$")
OTHER_WORD = re.compile(r"(?<![^\W\d_])([^\W\d_]+)\.$")
FIRST_WORD = re.compile(r"[(\"']*([A-Za-z]+)")
ITEM_NUMBER = re.compile(r"(?:^|[:;.,!?]\s+)\(?\d{1,2}\.$")
FIRST_ITEM = re.compile(r"\b(?:is|are|on|with|following|including)\s+\(?1\.$")
# A dose ends its sentence where a capital opens one of the words that begin sentences: 'p.o. The patient'.
DOTTED_END = re.compile(r"(?<![\w.])(?!(?:e\.g|i\.e)\.)(?:[A-Za-z]\.){2,}[)\"']?\s+(?=([A-Z][a-z]*)\b)")
# 'hepatitis C. Higher doses': the letter is no initial.
LETTER_END = re.compile(
    r"\b(?:hepatitis|[Vv]itamin|[Tt]ype|[Gg]roup|[Cc]lass|[Ff]actor|[Pp]art) [A-K]\.\s+(?=[A-Z][a-z])"
)
# Units, and words that sentencex has among its abbreviations of Spanish, end a sentence where a capital follows.
WORD_END = re.compile(r"(?<![^\W\d_])(?:bien|no|mar|cm|kg|mg|min|ml|mL|mm)\.\s+(?=[¿¡]?[^\W\d_a-z])")
# sentencex takes '<' for a bracket that opens, up to the next one that closes: 'p < 0.05. The others (n = 3)'.
COMPARED = str.maketrans("<>", "==")
# Behind a wide full stop sentencex goes on where a digit follows: '服药。3月'.
WIDE_END = re.compile(r"[。！？](?=\d)")


def goes_on(before: str, after: str) -> bool:
    """Whether the sentence that `before` ends with a full stop goes on in `after`, though a splitter cut there."""
    stripped = before[-60:].rstrip()
    if not stripped.endswith("."):
        return False
    if ITEM_NUMBER.search(stripped) or (FIRST_ITEM.search(stripped) and not _begins(after)):
        return True
    found = LAST_WORD.search(stripped)
    return found is not None and _abbreviates(found[1].lower(), after)


def _abbreviates(word: str, after: str) -> bool:
    return (
        word in _LEADS
        or (word in _NUMBER and after[:1].isdigit())
        or (word in _CLINICAL and after[:1].islower())
        or (word in _PERSONS and not _begins(after))
    )


def _begins(after: str) -> bool:
    first = FIRST_WORD.match(after)
    return first is not None and first[1][0].isupper() and first[1].lower() in _STARTERS


def goes_on_in(language: str, before: str, after: str) -> bool:
    """The same in another language: behind an abbreviation, or behind one letter before a small one ('p. m. y')."""
    found = OTHER_WORD.search(before[-60:].rstrip())
    if found is None:
        return False
    return found[1].lower() in _OF_LANGUAGE.get(language, ()) or (len(found[1]) == 1 and after[:1].islower())


def missed(text: str) -> Iterator[int]:
    """The beginnings of sentences that a splitter leaves joined to an abbreviation before them."""
    for found in DOTTED_END.finditer(text):
        if found[1].lower() in _STARTERS and found[1] != "I":
            yield found.end()
    for found in LETTER_END.finditer(text):
        yield found.end()


def missed_in_others(text: str) -> Iterator[int]:
    """The same in other languages."""
    for found in WORD_END.finditer(text):
        if text[found.end()].isupper() or text[found.end()] in "¿¡":
            yield found.end()


BLANK_LINES = re.compile(r"\n[^\S\n]*\n\s*")
LIST_ITEM = re.compile(r"(?:\(?\d{1,2}[.)]|[-*#•])\s+\S")
HEADING = re.compile(r"[A-Z][^.!?]{0,60}:$")
WORD = re.compile(r"[^\W_]+")
NEAR = 200  # characters
ENDED = (".", "!", "?", ":", ";")


def split(text: str, language: str = "en") -> list[str]:
    """The sentences of `text` in order, each with single spaces between its words; nothing but white space is lost.

    A blank line, a heading that ends with a colon and each item of a list end a sentence; a line break within a
    paragraph does not. `language` is a tag such as 'en' or 'pt-BR'; most of our own rules are for English.
    """
    main = language.replace("_", "-").partition("-")[0].lower()
    return [sentence for block in _blocks(text) for sentence in _sentences(block, main)]


def _blocks(text: str) -> Iterator[str]:
    """Paragraphs, list items and headings, each as one line."""
    unified = text.replace("\r\n", "\n").replace("\r", "\n")
    for paragraph in BLANK_LINES.split(unified):
        lines = [line for line in (" ".join(line.split()) for line in paragraph.split("\n")) if line]
        yield from _unwrapped(lines)


def _unwrapped(lines: list[str]) -> Iterator[str]:
    block: list[str] = []
    for line in lines:
        if block and _begins_block(block, line):
            yield " ".join(block)
            block = []
        block.append(line)
    if block:
        yield " ".join(block)


def _begins_block(block: list[str], line: str) -> bool:
    """Whether `line` is a block of its own after `block`: an item of a list, or the line after a heading."""
    if LIST_ITEM.match(line):
        return block[-1].endswith(ENDED) or LIST_ITEM.match(block[0]) is not None
    return len(block) == 1 and HEADING.match(block[0]) is not None


def _sentences(block: str, language: str) -> Iterator[str]:
    # A mark of MIMIC-III's de-identification is one long word here, so that nothing within it ends a sentence.
    hidden = DEIDENTIFIED.sub(lambda found: "X" * len(found[0]), block)
    starts = _starts(hidden, language)
    for start, end in pairwise([*starts, len(block)]):
        sentence = block[start:end].strip()
        if sentence:
            yield sentence


def _starts(hidden: str, language: str) -> list[int]:
    """Where the sentences of one block begin; the first is 0."""
    pieces = sentencex.segment(language, hidden.translate(COMPARED))
    starts, at = [0], 0
    for piece in pieces[:-1]:
        at += len(piece)
        starts.append(at)
    starts = sorted({*starts, *(found.end() for found in WIDE_END.finditer(hidden))})
    kept = [start for start in starts if start == 0 or not _goes_on(hidden, start, language)]
    starts = sorted({*kept, *(missed(hidden) if language == "en" else missed_in_others(hidden))})
    return _with_words(hidden, starts)


def _goes_on(hidden: str, start: int, language: str) -> bool:
    """The rule looks no further than a few words, and only those are given to it."""
    before, after = hidden[max(0, start - NEAR) : start], hidden[start : start + NEAR]
    return goes_on(before, after) if language == "en" else goes_on_in(language, before, after)


def _with_words(hidden: str, starts: list[int]) -> list[int]:
    """The starts without those that would leave a sentence of punctuation alone."""
    kept, word = [0], WORD.search(hidden)  # the first one that does not end before the last start kept
    last = WORD.search(hidden[::-1])
    end = len(hidden) - last.start() if last else 0  # of the last word
    for start in starts[1:]:
        if word and word.start() < start < end:
            kept.append(start)
            if word.end() <= start:
                word = WORD.search(hidden, start)
    return kept
