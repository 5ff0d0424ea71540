"""Counts syllables of English words by rule, for FKGL.

Groups of vowels are counted, silent endings taken off, and groups that are spoken apart ('di-a-betes') added.
Figures are numbers, and what is spelled letter by letter: letters with dots between them, capitals without a vowel, and
units ('2.5', 'b.i.d.', 'HPV', 'mg'). Each counts as one syllable by Flesch's rule (How to Write Plain English, 1979:
abbreviations, figures and symbols are words of one syllable), and for textstat. `SPOKEN` counts them near how they are
read out instead: a syllable a digit and one for a decimal point, and the names of the letters.
"""

import re
import unicodedata
from functools import lru_cache


def _table(text: str) -> dict[str, int]:
    """'dr 2 mr 2' as a dictionary."""
    fields = text.split()
    return dict(zip(fields[::2], map(int, fields[1::2]), strict=True))


ONE, SPOKEN = "one", "spoken"  # how figures are counted
UNITS = _table("mg 3 ml 4 kg 3 cm 4 mm 4 km 4")
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
MARKS = re.compile(r"[\u0300-\u036f]")
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
    if piece in UNITS:
        return UNITS[piece] if spoken else 1
    if not piece[0].isdigit():
        return 0
    return sum(char.isdigit() for char in piece) + piece.count(".") if spoken else 1


@lru_cache(maxsize=65536)
def _word(word: str) -> int:
    """The syllables of a lower-case word of letters and apostrophes, at least 1."""
    plain = word if word.isascii() else MARKS.sub("", unicodedata.normalize("NFD", word))
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
