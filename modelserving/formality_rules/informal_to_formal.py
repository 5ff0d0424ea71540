"""Informal to formal: the rules, in the order in which they run (GYAFC sections 3.2 and 4.1).

Each takes a text whose addresses and numbers are put aside and whose punctuation is attached, and leaves all that it
does not cover. `formal` runs them until nothing changes, since a removal by one rule may open the way for another
("lol well, um yes"); so it leaves its own result unchanged.
"""

import re
import unicodedata
from collections.abc import Callable

from modelserving.formality_rules import word_lists
from modelserving.formality_rules.word_lists import (
    DOMAIN,
    EMAIL,
    HOLDER,
    URL,
    attach,
    is_set_apart,
    put_aside,
    put_back,
    set_apart,
)

ROUNDS = 8
EXPANSIONS = {
    **word_lists.pairs("slang.tsv"),
    **word_lists.pairs("bare_contractions.tsv"),
    **word_lists.pairs("contractions.tsv"),
}
EXPANDED = word_lists.pattern(EXPANSIONS)
REMOVED = re.compile(rf"(?:,\s*)?{word_lists.pattern(word_lists.words('removed.txt')).pattern}[,!]*", re.IGNORECASE)
NAMES = {name.lower(): name for name in word_lists.words("proper_nouns.txt")}
NAME = word_lists.pattern(NAMES)
FILLERS = word_lists.pairs("fillers.tsv")
FILLER = re.compile(
    "^(?>(?:(?:(?:{})[,.!…]*+|(?:{})(?>(?:,|\\.\\.++|…)+))\\s++(?=\\S))+)".format(
        *(
            "|".join(sorted((key for key in FILLERS if FILLERS[key] == kind), key=len, reverse=True))
            for kind in ("never", "comma")
        )
    ),
    re.IGNORECASE,
)
# Eyes, nose and mouth as a word of its own, apart too (": )"), or a picture. A word with a digit counts as a number.
EMOTICON = re.compile(
    r"(?<!\S)(?:[:;=]['^]?[-o~]?[)(\]\[DdPpOo/\\|*]+|[(][:;=]|[xX]D+|\^[_.-]*\^|[-oO>][_.][-oO<]|[:;]\s[)])(?=[\s.,!?]|$)"
    r"|[\U0001F300-\U0001FAFF\u2600-\u27BF]\ufe0f?(?:\u200d[\U0001F300-\U0001FAFF\u2600-\u27BF]\ufe0f?)*"
)
HASHTAG = re.compile(r"(?<![\w&])#[^\W\d]\w*")
ABBREVIATION = re.compile(r"(?:\b(?:[A-Za-z]|e\.g|i\.e|etc|vs|dr|mr|mrs|ms|st|no|jr|sr|[ap]\.m))\.$", re.IGNORECASE)
AUXILIARY = "do|does|did|is|are|was|were|can|could|will|would|should|have|has|had"
PRONOUN = "I|you|he|she|it|we|they"
QUESTION = re.compile(
    rf"^(?:(?:what|why|how|who|when|where|which)\s(?:{AUXILIARY})|(?:{AUXILIARY})\s(?:{PRONOUN}|there))\b",
    re.IGNORECASE,
)
# 'ur' is 'your' except before words that no possessive goes with.
YOU_ARE = re.compile(
    r"(?<![\w'-])ur(?=\s(?:not|so|the|an?|too|gonna|just|always|never|welcome|right|wrong|going|doing|talking|saying"
    r"|looking|trying|getting|asking|thinking|being)\b)",
    re.IGNORECASE,
)
NEGATED_QUESTION = re.compile(rf"(^|\b(?:why|how)\s)({AUXILIARY}|ca|wo)n'?t\s({PRONOUN}|u|ya)\b", re.IGNORECASE)
ADDRESS = re.compile(f"{URL}|{EMAIL}|{DOMAIN}", re.IGNORECASE)
CLOSING = "\"'”’)]"


def formal(text: str) -> str:
    """The text with every rule applied; a text that would lose all its words keeps them."""
    result = " ".join(text.split())
    for _ in range(ROUNDS):
        changed = _once(result)
        if changed == result or not _says_something(changed):
            break
        result = changed
    return result


def _once(text: str) -> str:
    masked, kept = put_aside(attach(text))
    for rule in RULES:
        masked = rule(masked)
    result = ended(put_back(attach(masked), kept))
    return set_apart(result, like=text) if is_set_apart(text) else result


def _says_something(text: str) -> bool:
    return any(char.isalnum() or char == HOLDER for char in text)


def plain_quotes(text: str) -> str:
    """Curly apostrophes inside words become straight, as the lists have them."""
    return re.sub(r"(?<=\w)’(?=\w)", "'", text)


def no_emoticons(text: str) -> str:
    return HASHTAG.sub("", EMOTICON.sub("", text))


def one_mark(text: str) -> str:
    """Repeated punctuation once; an exclamation becomes a statement, dots inside a sentence a comma."""
    text = re.sub(r"[!?](?:\s*[!?.])+|[.](?:\s*[!?])+", lambda found: "?" if "?" in found.group() else ".", text)
    text = re.sub(r"(?<=[^\W\d_])!(?=[^\W\d_])", ". ", text)
    text = re.sub(r"!(?![\w=])", ".", text)
    text = re.sub(r"(?:(?>(?:\.\s*+){2,})|…\s*+)(?=([a-z])?)", lambda found: ", " if found[1] else found[0], text)
    text = re.sub(r"\.(?:\s*\.)+|…", ".", text)
    text = re.sub(r"([,;:])(?:\s*[,;:])+", r"\1", text)
    return re.sub(r"-{3,}|~+", " ", text)


def no_lengthening(text: str) -> str:
    """'soooo' is 'so' and 'goooood' is 'good'; 'www' and 'III', all one letter, are left."""
    return re.sub(r"(?<![\w'])(?=\w*?([a-zA-Z])\1{2})[a-zA-Z]+(?!\w)", lambda found: _shorter(found.group()), text)


def _shorter(word: str) -> str:
    if len(set(word.lower())) == 1:
        return word
    double = re.sub(r"([a-zA-Z])\1{2,}", r"\1\1", word)
    return (
        double if double.lower() in word_lists.words("double_letters.txt") else re.sub(r"([a-zA-Z])\1{2,}", r"\1", word)
    )


def no_shouting(text: str) -> str:
    """Text in capitals becomes small; a plain word in capitals too, while an abbreviation is left."""
    found = re.findall(r"[^\W\d_]+(?:'[^\W\d_]+)*", text)
    capitals = [word for word in found if word.isupper() and len(word) > 1]
    shouted = [word for word in capitals if word.lower() in word_lists.words("shouted.txt")]
    letters = [char for char in text if char.isalpha()]
    if len(capitals) > 2 and shouted and sum(char.isupper() for char in letters) > 0.7 * len(letters):
        return text.lower()
    for word in set(shouted):
        text = re.sub(rf"(?<![\w'.]){re.escape(word)}(?![\w']|\.\w)", word.lower(), text)
    return text


def no_fillers(text: str) -> str:
    """'um', and 'well,' and its like with a comma, taken from the beginning."""
    return FILLER.sub("", text)


def no_laughter(text: str) -> str:
    return re.sub(r"\(\s*\)|\[\s*\]", "", REMOVED.sub("", text))


def expanded(text: str) -> str:
    """Contractions and slang written out; 'why don't you' becomes 'why do you not'."""
    text = NEGATED_QUESTION.sub(_negated_question, text)
    text = re.sub(r"\b(it|he|she|that|there)'s\s(been|got|had|gotten)\b", r"\1 has \2", text, flags=re.IGNORECASE)
    text = re.sub(rf"\b({PRONOUN})'d\s(better|been)\b", r"\1 had \2", text, flags=re.IGNORECASE)
    return EXPANDED.sub(_expansion, YOU_ARE.sub("you are", text))


def _negated_question(found: re.Match[str]) -> str:
    opening, auxiliary, pronoun = found.groups()
    whole = {"ca": "can", "wo": "will"}.get(auxiliary.lower(), auxiliary)
    return f"{opening}{whole} {pronoun} not"


def _expansion(found: re.Match[str]) -> str:
    word = found.group()
    # "R. Kelly", "Vitamin K", "U.S. Y chromosome": a single capital is an initial unless it is 'U' or 'R' alone.
    if len(word) == 1 and word.isupper() and (word not in "UR" or found.string.startswith(".", found.end())):
        return word
    result = EXPANSIONS[word_lists.looked_up(word)]
    return result[0].upper() + result[1:] if word[0].isupper() and not word[1:].isupper() and len(word) > 1 else result


def spaced(text: str) -> str:
    """No space before punctuation, one after it."""
    text = re.sub(r"(?<!\s)\s++([.,!?;:])(?=\s|$)", r"\1", text)
    text = re.sub(r"(?<![,;:])[,;:]++\s*+([.?])(?=\s|$)", r"\1", text)
    text = re.sub(r"(?<=[^\W\d_])\s*([,;?])(?=[^\W\d_])", r"\1 ", text)
    text = re.sub(r"(?<=[a-z]{2})\.(?=[A-Z][a-z]|I\b)", ". ", text)
    return re.sub(r"^[\s.,!?;:~*]+(?=\w)|(?<![\s,;:~*-])[\s,;:~*-]++$", "", text) or text


def names(text: str) -> str:
    """'I' and proper nouns with their capitals."""
    text = re.sub(r"(?<![\w'.&-])i(?=[\s,?!;:]|$|'(?:m|ve|ll|d)\b|\.(?:\s|$))", "I", text)
    return NAME.sub(lambda found: _name(found.group()), text)


def _name(found: str) -> str:
    return NAMES[word_lists.looked_up(found)] if found.islower() else found


def sentence_case(text: str) -> str:
    """A capital at the beginning of each sentence."""
    pieces = re.split(r"(?<=[.?!])(\s+)", text)
    for place in range(0, len(pieces), 2):
        before = "".join(pieces[max(place - 2, 0) : place]).rstrip()
        if not ABBREVIATION.search(before):
            pieces[place] = _capital(pieces[place])
    return "".join(pieces)


def _capital(sentence: str) -> str:
    start = re.match(r"[^\w]*", sentence)
    place = start.end() if start else 0
    word = re.match(r"\w*", sentence[place:])
    # An address keeps its case, and so does a name such as iPhone.
    if (
        place >= len(sentence)
        or HOLDER in sentence[:place]
        or (word and not word.group()[1:].islower() and word.group()[1:])
    ):
        return sentence
    upper = sentence[place].upper()
    return sentence[:place] + upper + sentence[place + 1 :] if len(upper) == 1 else sentence


def ended(text: str) -> str:
    """A full stop or question mark at the end, if the text is in Latin letters and ends without any.

    None after an address, which it would break.
    """
    inside = text.rstrip(CLOSING + " ")
    last = inside[-1:]
    if not last or not (last.isalnum() or last == "%") or not (last.isascii() or "LATIN" in unicodedata.name(last, "")):
        return text
    if any(found.end() == len(inside) for found in ADDRESS.finditer(inside)):
        return text
    sentence = re.split(r"[.?!]\s+", text)[-1]
    return text + ("?" if QUESTION.match(sentence) else ".")


RULES: tuple[Callable[[str], str], ...] = (
    plain_quotes,
    no_emoticons,
    no_laughter,
    one_mark,
    no_lengthening,
    no_shouting,
    no_fillers,
    expanded,
    spaced,
    names,
    sentence_case,
)
