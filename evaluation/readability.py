"""How easily a text is read: its sentences and syllables, school grades, long words, and textstat's counts."""

import re
import unicodedata
from collections.abc import Callable
from functools import lru_cache
from importlib.util import find_spec

import numpy as np
import regex
from numpy.typing import NDArray

from corpora.knowledge.sentences import split
from evaluation.languages import is_english, primary

# Splits English text into sentences, for FKGL: not at decimals, abbreviations or initials.
#
# A sentence ends at '.', '!' or '?' (with closing quotes and brackets) before white space, and at a blank line. A full
# stop that belongs to an abbreviation ends one only where the abbreviation can stand last ('b.i.d.', 'Inc.') and the
# next word is one that opens sentences ('The', 'She'), or after a unit ('5 mg.') before any capital. Tokenized text,
# its stops set off by spaces, splits alike.


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Always followed by more of the same sentence.
LEADING = _set(
    """
    dr. mr. mrs. ms. prof. rev. gen. col. capt. lt. sgt. sen. rep. gov.
    e.g. i.e. eg. ie. cf. vs. v. viz. approx. ca.
    """
)
# May also stand last; so may letters with dots between them ('b.i.d.', 'U.S.') and initials ('J.', 'C.').
TRAILING = _set(
    "al. inc. ltd. co. corp. jr. sr. st. dept. est. ave. blvd. jan. feb. mar. apr. aug. sept. oct. nov. dec."
)
# These stand last wherever a capital follows.
UNITS = _set("etc. mg. ml. kg. cm. mm. ft. oz. lb. lbs. tsp. tbsp. min. max. sec. hr. hrs. wk. mo. yr.")
# Abbreviations only before a number: 'no. 5', but 'She said no.'
COUNTED = _set("no. nos. fig. figs. eq. vol. p. pp. ch. sect. ref. refs.")
OPENERS = _set(
    """
    The A An This That These Those It He She We They You I In If On At As For When While There However But And So
    After Before Although Because Patients No Do What How Why My Our Your His Her Their
    """
)
CLOSERS = "\"'”’)]}»"
OPENING = "\"'“‘([{«"
BLANK = re.compile(r"\n\s*\n")
DOTTED = re.compile(r"(?:[A-Za-z]\.)+")
NUMBERED = re.compile(r"\(?\d{1,2}\.")


def sentences(text: str) -> list[list[str]]:
    """The sentences of the text, each as its tokens between white space; one without letter or digit is left out."""
    split: list[list[str]] = []
    for paragraph in BLANK.split(text) if "\n" in text else [text]:
        split += _split(paragraph.split())
    return [each for each in split if any(map(_spoken, each))]


def _spoken(token: str) -> bool:
    return token.isalnum() or any(map(str.isalnum, token))


def _split(tokens: list[str]) -> list[list[str]]:
    parts: list[list[str]] = []
    start = 0
    for place, token in enumerate(tokens):
        if not token[-1].isalnum() and _ends(tokens, start, place):
            parts.append(tokens[start : place + 1])
            start = place + 1
    return [*parts, tokens[start:]] if start < len(tokens) else parts


def _ends(tokens: list[str], start: int, place: int) -> bool:
    """Whether the token at `place` is the last of the sentence that began at `start`."""
    core = tokens[place].rstrip(CLOSERS).lstrip(OPENING)
    after = tokens[place + 1].lstrip(OPENING) if place + 1 < len(tokens) else ""
    if core.endswith(("!", "?")):
        # Set off by spaces they may come in a row: the last one ends the sentence. '"Really?" he said' goes on.
        quoted = tokens[place][-1] in CLOSERS and after[:1].islower()
        return any(char.isalnum() for char in after) and not quoted
    if core == "." and place > start:
        return tokens[place - 1].lower() + "." not in LEADING
    if core.endswith(("...", "…")):
        return after[:1].isupper()
    if not core.endswith("."):
        return False
    return _full_stop(core, after, first=place == start)


def _full_stop(core: str, after: str, first: bool) -> bool:
    """Whether the stop at the end of the word `core`, before the word `after`, ends a sentence."""
    if core.lower() in COUNTED and after[:1].isdigit():
        return False
    if core.lower() in LEADING or (first and NUMBERED.fullmatch(core)):
        return False
    if core.lower() in UNITS:
        return after[:1].isupper()
    if core != "I." and (core.lower() in TRAILING or DOTTED.fullmatch(core)):
        return after in OPENERS
    return True


# Counts syllables of English words by rule, for FKGL.
#
# Groups of vowels are counted, silent endings taken off, and groups that are spoken apart ('di-a-betes') added.
# Figures are numbers, and what is spelled letter by letter: letters with dots between them, capitals without a vowel,
# and units ('2.5', 'b.i.d.', 'HPV', 'mg'). Each counts as one syllable by Flesch's rule (How to Write Plain English,
# 1979: abbreviations, figures and symbols are words of one syllable), and for textstat. `SPOKEN` counts them near how
# they are read out instead: a syllable a digit and one for a decimal point, and the names of the letters.


def _table(text: str) -> dict[str, int]:
    """'dr 2 mr 2' as a dictionary."""
    fields = text.split()
    return dict(zip(fields[::2], map(int, fields[1::2]), strict=True))


ONE, SPOKEN = "one", "spoken"  # how figures are counted
UNIT_SYLLABLES = _table("mg 3 ml 4 kg 3 cm 4 mm 4 km 4")
# Abbreviations that are read out as words, and words that go against the rules.
KNOWN = _table(
    """
    dr 2 mr 2 mrs 2 ms 1 st 1 jr 2 sr 2 vs 2 etc 4 prof 3 approx 5
    something 2 sometimes 2 someone 2 somewhere 2 somewhat 2 somehow 2 everyone 3 everything 3 everywhere 3
    every 2 everybody 4 evening 2 different 3 difference 3 business 2 people 2 idea 3 ideas 3 area 3 areas 3 ideal 3
    recipe 3 maybe 2 therefore 2 clothes 1 eye 1 eyes 1 safety 2 lifestyle 2 lifetime 2 baseline 2 homemade 2
    poem 2 poet 2 ruin 2 fuel 2 cruel 2 suicide 3 genuine 3 genuinely 4 biology 4 diabetes 4 herpes 2 rabies 2
    caries 2 feces 2 series 2 species 2 ache 1 aches 1 headache 2 headaches 2 hundred 2 hundreds 2 sacred 2 naked 2
    wicked 2 soldier 2 soldiers 2 cashier 2 priest 1 conscience 2 coexist 3 cooperate 4 litre 2 litres 2 centre 2
    acne 2 element 3 elements 3 complement 3 implement 3 supplement 3 supplements 3 implementation 5 nausea 3
    anyone 3 acuity 4 albeit 3 angioplasty 5 antioxidant 4 antioxidants 5 atheist 3 awesome 2 baseball 2 cafe 2
    caregiver 3 caregivers 3 caseload 2 centres 2 cereal 3 continuous 4 continuously 5 creature 2 creatures 2
    diarrhoea 4 elsewhere 2 embryo 3 embryos 3 esophageal 5 fibre 2 fibres 2 framework 2 fueled 2 gastrointestinal 6
    genre 2 genres 2 guideline 2 guidelines 2 heroin 3 heterogeneity 7 household 2 households 2 likelihood 3
    livestock 2 metre 2 metres 2 naive 2 osteoarthritis 6 pacemaker 3 pacemakers 3 peritoneal 5 physiological 6
    radioactive 5 ratio 3 ratios 3 readmission 4 readmissions 4 readmitted 4 reinforce 3 reinforced 3 reinforcement 4
    ruins 2 socioeconomic 7 suicidal 4 syncope 3 theater 3 theatre 3 thereby 2 tracheal 3 widespread 2
    naivete 3 naivety 3 leopard 2 enough 2 iron 2 lion 2 lions 2 society 4 syndrome 2 preexisting 4 real 1
    """
)
PIECES = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*|\d+(?:[.,]\d+)*")
SPELLED = re.compile(r"(?:[A-Za-z]\.){2,}|[B-DF-HJ-NP-TV-XZ]{2,}s?")
GROUP = re.compile(r"[aeiouyàáâäèéêëìíîïòóôöùúûü]+")
HIATUS = re.compile(r"(?<=[aeiouy])[äëïöü]")  # a diaeresis says that the vowel is spoken apart: co-öperate, Zo-ë
ACCENTS = re.compile(r"[\u0300-\u036f]")
# 'care' + 'ful': the e within is as silent as at the end.
SUFFIXED = re.compile(r"(.*[^aeiouy]e)(ly|ful|fully|less|ness|ments?)")
APART = tuple(
    re.compile(pattern)
    for pattern in (
        r"(?<![tcsg])ia(?!ge)|[tc]iat",  # pneumoni-a, associ-ated; not so-cial, mar-riage
        r"(?<![tscgxnlh])(?<!av)io|tio$|nio(?![nr])|^myo",  # peri-od; not na-tion, mil-lion
        r"iu|ii|uu",  # medi-um
        r"(?<!g)eo(?!pl)|geo(?!n$|ns$|us)|eu[ms]$",  # vide-o, muse-um
        r"(?:rh|pn|ch|ur)ea$|^rea(?:ct|li)|crea(?:t|s$)",  # diarrhe-a, re-act, cre-ate
        r"(?<![gq])ua(?!de)|(?<![gq])uen|(?<![gq])uids?$",  # actu-al, flu-ent, flu-id
        r"(?<!fr)(?<=[rdnpl])ien|^scien|iet|(?<=[a-z]{2})ie(?:r|rs|st)$",  # experi-ence, vari-ety, easi-er
        r"[aeiouy]ing|[aeiou]y(?!ed$|es$|e$)[aeou]|^coag",  # try-ing, may-or
        r"(?:[aeiouy]s|th)ms?$",  # pris-m, rhyth-m
    )
)
SILENT = tuple(
    re.compile(pattern)
    for pattern in (
        r"(?<=[aeiouy])[^aeiouy]+(?<![^aeiouyl]l)e$|[gq]ue$",  # make, tongue; not ta-ble
        r"[^aeiouysxzcg](?<!sh)(?<!ch)(?<![^aeiouyl]l)es$|[gq]ues$",  # makes; not changes, ta-bles
        r"[^aeiouytd](?<![^aeiouyl]l)ed$|[gq]ued$",  # helped; not wanted
    )
)


@lru_cache(maxsize=65536)
def syllables(token: str, figures: str = ONE) -> int:
    """The syllables of one token: at least 1 a word or number in it, 0 where it holds neither."""
    bare = unicodedata.normalize("NFC", token.strip("\"'“”‘’()[]{}«»,;:!?"))
    spoken = figures == SPOKEN
    if SPELLED.fullmatch(bare) and bare.lower().strip(".") not in KNOWN:
        return sum(3 if letter in "Ww" else 1 for letter in bare if letter not in ".s") if spoken else 1
    pieces = PIECES.findall(bare.lower().replace("’", "'"))
    if not spoken and pieces and all(piece[0].isdigit() for piece in pieces):
        return 1  # '120/80' too
    return sum(_figure(piece, spoken) or _word(piece) for piece in pieces)


def _figure(piece: str, spoken: bool) -> int:
    """0 where it is none."""
    if piece in UNIT_SYLLABLES:
        return UNIT_SYLLABLES[piece] if spoken else 1
    if not piece[0].isdigit():
        return 0
    return sum(char.isdigit() for char in piece) + piece.count(".") if spoken else 1


@lru_cache(maxsize=65536)
def _word(word: str) -> int:
    """The syllables of a lower-case word of letters and apostrophes, at least 1."""
    plain = word if word.isascii() else ACCENTS.sub("", unicodedata.normalize("NFD", word))
    if plain in KNOWN:
        return KNOWN[plain]
    if word.endswith("n't") and len(word) > 3:
        return _word(word[:-3]) + (word[-4] in "dstv" or word.endswith("ven't"))
    if "'" in word:
        return _word(word.split("'")[0]) or 1
    suffixed = SUFFIXED.fullmatch(word)
    if suffixed:
        return _word(suffixed[1]) + len(GROUP.findall(suffixed[2]))
    count = len(GROUP.findall(word))
    count += sum(len(pattern.findall(word)) for pattern in APART)
    count += len(HIATUS.findall(word))
    count -= sum(bool(pattern.search(word)) for pattern in SILENT)
    return max(count, 1)


# Counts of texts and the grades of readability that are formed from them: Flesch-Kincaid, fog, Coleman-Liau.
#
# Words are runs between white space that hold a letter or digit. Sentences and syllables are counted by our own
# rules (`sentence_splitting`, `syllables`; English only).

Floats = NDArray[np.float64]
PARTS = ("sentences", "words", "syllables", "long_words", "letters")
LONG = 3  # syllables
EDGES = "\"'“”‘’()[]{}«»,;:!?."
FIGURES = (ONE, SPOKEN)


def text_counts(text: str, figures: str = ONE) -> tuple[int, int, int, int, int]:
    """The counts that grades are computed from.

    Args:
        text: One output.
        figures: How numbers and words spelled letter by letter are counted, "one" or "spoken" (`syllables`).

    Returns:
        Sentences, words, syllables, long words (`is_long`), and letters and digits.
    """
    split = sentences(text)
    words = spoken = long = letters = 0
    for each in split:
        shouted = not any(char.islower() for token in each for char in token)
        for place, token in enumerate(each):
            count = syllables(token, figures)
            if not count:
                continue
            words, spoken = words + 1, spoken + count
            letters += len(token) if token.isalnum() else sum(map(str.isalnum, token))
            long += count >= LONG and is_long(token, named=place > 0 and not shouted)
    return len(split), words, spoken, long, letters


def is_long(token: str, *, named: bool) -> bool:
    """Whether it is one of Gunning's hard words: of three syllables or more.

    His exceptions are no long words: names (words with a capital, where `named` says that these can be told), compounds
    of easy words (the longest part of a hyphened word counts), and forms that only -ed or -es makes so long. Numbers,
    and words spelled letter by letter ('b.i.d.'), are no long words.
    """
    bare = token.strip(EDGES)
    if not bare or (named and bare[0].isupper()) or SPELLED.fullmatch(token.strip(EDGES[:-1])):
        return False
    return any(_is_long(part) for part in bare.lower().split("-"))


@lru_cache(maxsize=65536)
def _is_long(part: str) -> bool:
    if any(char.isdigit() for char in part):
        return False
    forms = (part, part[:-1], part[:-2]) if part.endswith(("ed", "es")) else (part,)  # 'creat-ed', 'diseas-es'
    return min(map(syllables, forms)) >= LONG


def flesch_kincaid(counts: Floats) -> Floats:
    """0.39 words a sentence + 11.8 syllables a word - 15.59."""
    split, words, spoken = counts[..., 0], counts[..., 1], counts[..., 2]
    grades: Floats = 0.39 * words / np.maximum(split, 1) + 11.8 * spoken / np.maximum(words, 1) - 15.59
    return grades


def gunning_fog(counts: Floats) -> Floats:
    """0.4 x (words a sentence + long words in a hundred)."""
    split, words, long = counts[..., 0], counts[..., 1], counts[..., 3]
    grades: Floats = 0.4 * (words / np.maximum(split, 1) + 100 * long / np.maximum(words, 1))
    return grades


def coleman_liau(counts: Floats) -> Floats:
    """0.0588 x letters a hundred words - 0.296 x sentences a hundred words - 15.8."""
    split, words, letters = counts[..., 0], counts[..., 1], counts[..., 4]
    grades: Floats = (5.88 * letters - 29.6 * split) / np.maximum(words, 1) - 15.8
    return grades


def automated(counts: Floats) -> Floats:
    """4.71 letters and digits a word + 0.5 words a sentence - 21.43."""
    split, words, letters = counts[..., 0], counts[..., 1], counts[..., 4]
    grades: Floats = 4.71 * letters / np.maximum(words, 1) + 0.5 * words / np.maximum(split, 1) - 21.43
    return grades


# Counts of SMOG: sentences, words, and words of three syllables and more, names and forms among them.


def smog_counts(text: str) -> tuple[int, int, int]:
    """Sentences, words and words of three syllables and more of one output; a figure counts as one syllable."""
    split = sentences(text)
    spoken = [count for each in split for token in each if (count := syllables(token))]
    return len(split), len(spoken), sum(count >= LONG for count in spoken)


def smog(counts: Floats) -> Floats:
    """1.043 x the root of long words in thirty sentences + 3.1291, of (..., 3) counts."""
    split_into, long = counts[..., 0], counts[..., 2]
    grades: Floats = 1.043 * np.sqrt(30 * long / np.maximum(split_into, 1)) + 3.1291
    return grades


# Counts of Dale and Chall: sentences, words, and words that are not familiar.

ENDINGS = (("ies", "y"), ("ied", "y"), ("es", ""), ("s", ""), ("ed", ""), ("ed", "e"), ("d", ""), ("ing", ""),
           ("ing", "e"), ("er", ""), ("est", ""), ("'s", ""))  # fmt: skip


def dale_chall_counts(text: str, familiar: frozenset[str], *, forms: bool) -> tuple[int, int, int]:
    """Sentences, words and unfamiliar words of one output; a figure is familiar.

    Args:
        text: One output.
        familiar: The list of familiar words, in small letters.
        forms: Whether regular forms of familiar words, and names inside a sentence, are familiar too, as the authors
            have it.
    """
    split = sentences(text)
    words = [(place, token.strip(EDGES)) for each in split for place, token in enumerate(each) if syllables(token)]
    hard = sum(not _is_familiar(token, familiar, forms=forms, named=place > 0) for place, token in words)
    return len(split), len(words), hard


def _is_familiar(token: str, familiar: frozenset[str], *, forms: bool, named: bool) -> bool:
    word = token.lower().replace("’", "'")
    if word in familiar or any(map(str.isdigit, word)):
        return True
    if not forms:
        return False
    bases = [word.removesuffix(end) + put for end, put in ENDINGS if word.endswith(end)]
    bases += [base[:-1] for base in bases if len(base) > 2 and base[-1] == base[-2]]  # 'stopp-ed'
    return (named and token[:1].isupper()) or not familiar.isdisjoint(bases)


def dale_chall(counts: Floats) -> Floats:
    """0.1579 x unfamiliar words in a hundred + 0.0496 words a sentence, and 3.6365 more above 5 in a hundred."""
    split_into, words, hard = counts[..., 0], np.maximum(counts[..., 1], 1), counts[..., 2]
    share = 100 * hard / words
    grades: Floats = 0.1579 * share + 0.0496 * words / np.maximum(split_into, 1) + np.where(share > 5, 3.6365, 0)
    return grades


# Counts of LIX: sentences, words, and words of more than six letters.

LETTER = regex.compile(r"[\p{L}\p{N}]")
LIX_LONG = 7  # letters


def lix_counts(text: str, language: str) -> tuple[int, int, int]:
    """Sentences, words and long words of one output; a mark on a letter is no letter of its own."""
    found = sentences(text) if is_english(language) else [each.split() for each in split(text, primary(language))]
    letters = [[len(LETTER.findall(token)) for token in tokens] for tokens in found]
    spoken = [[count for count in counts if count] for counts in letters]
    words = [count for counts in spoken for count in counts]
    return sum(map(bool, spoken)), len(words), sum(count >= LIX_LONG for count in words)


def lix(counts: Floats) -> Floats:
    """Words a sentence + long words in a hundred, of (..., 3) counts."""
    split_into, words, long = counts[..., 0], counts[..., 1], counts[..., 2]
    index: Floats = words / np.maximum(split_into, 1) + 100 * long / np.maximum(words, 1)
    return index


# Sentences, words and syllables as textstat 0.7.3 counts them, the library of PLABA's program (Attal et al. 2023).
#
# A sentence ends at every '.', '!' and '?', in decimals too, and counts with more than two words. Syllables are where a
# word may be hyphenated, by the dictionary of pyphen, which is no package of Restyle's own. Averages and grade are
# rounded to one digit, a half away from 0. Later versions of textstat count syllables otherwise and round nothing.

VERSION = "textstat-0.7.3"
SENTENCE = re.compile(r"\b[^.!?]+[.!?]*")
MARKS = re.compile(r"[^\w\s]")
SHORT = 2  # words of the longest sentence that is none
LACKING = "Syllables are counted by pyphen, as textstat does, which is not on this machine: `pip install pyphen`."


def missing_pyphen() -> str:
    """The package to install, as a sentence; "" where it is there."""
    return "" if find_spec("pyphen") else LACKING


def textstat_counts(text: str) -> tuple[int, int, int]:
    """Sentences, words and syllables of one text."""
    words = _words(text)
    return sentence_count(text), len(words), sum(_syllables()(word.lower()) for word in words)


def sentence_count(text: str) -> int:
    """At least 1."""
    return max(1, sum(len(_words(part)) > SHORT for part in SENTENCE.findall(text)))


def textstat_grades(counts: Floats) -> Floats:
    """The Flesch-Kincaid grades (n,), rounded as textstat rounds, of counts (n, 3); of no words any finite number."""
    split, words, spoken = np.maximum(counts, 1).T
    return _rounded(0.39 * _rounded(words / split) + 11.8 * _rounded(spoken / words) - 15.59)


def _words(text: str) -> list[str]:
    return MARKS.sub("", text).split()


def _rounded(values: Floats) -> Floats:
    """To one digit: the whole number at or below ten times the number and a half of its sign."""
    rounded: Floats = np.floor(values * 10 + np.copysign(0.5, values)) / 10
    return rounded


@lru_cache(maxsize=1)
def _syllables() -> Callable[[str], int]:
    from pyphen import Pyphen  # only where somebody counts like textstat

    dictionary = Pyphen(lang="en_US")
    return lru_cache(maxsize=65536)(lambda word: len(dictionary.positions(word)) + 1)
