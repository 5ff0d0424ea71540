"""Text with its punctuation set apart ("do n't know ."), as corpora have it, and text as people write it."""

import re

CLITIC = r"(?:n't|'(?:s|re|ve|ll|d|m))"
# A mark, but not the eyes of ": )", with all that follows it to the end of the word.
MARKS = r"(?:[.,!?]|[;:](?!\s\)))[.,!?;:]*(?=\s|$)"
SET_APART = re.compile(rf"\s(?:{CLITIC}(?!\w)|{MARKS})", re.IGNORECASE)
ATTACHED = re.compile(r"\w[,!?;:](?:\s|$)")
ATTACHED_CLITIC = re.compile(rf"[a-z]{CLITIC}(?!\w)", re.IGNORECASE)
SPLIT_WORDS = re.compile(r"\b(gon|wan|got|gim|lem|can)\s(na|ta|me|not)\b", re.IGNORECASE)
JOINED = frozenset(("gonna", "wanna", "gotta", "gimme", "lemme", "cannot"))


def is_set_apart(text: str) -> bool:
    """Whether the text's own habit is a space before its punctuation."""
    return bool(SET_APART.search(text)) and not ATTACHED.search(text)


def attach(text: str) -> str:
    """Punctuation and clitics at the word before them, and one space between words."""
    text = re.sub(r"(?<=[a-z]) ' (?=(?:ve|re|ll|m|d|s)\b)", " '", " ".join(text.split()), flags=re.IGNORECASE)
    text = re.sub(rf"(?<!\s)\s++({CLITIC})(?!\w)", r"\1", text, flags=re.IGNORECASE)
    text = SPLIT_WORDS.sub(lambda found: _joined(found.group(1), found.group(2), found.group()), text)
    return re.sub(rf"(?<=\S)\s+({MARKS})", r"\1", text)


def set_apart(text: str, like: str) -> str:
    """The opposite of `attach`; clitics are set apart unless `like` has them at their words.

    The point of an abbreviation such as U.S. stays where it is.
    """
    if not ATTACHED_CLITIC.search(like):
        text = re.sub(rf"(?<=[a-z])({CLITIC})(?!\w)", r" \1", text, flags=re.IGNORECASE)
    return re.sub(r"(?<=[^\s.,!?;:])((?:[,!?;:]|(?<!(?<!')\b[A-Za-z])\.)[.,!?;:]*)(?=\s|$)", r" \1", text)


def _joined(first: str, second: str, whole: str) -> str:
    return first + second if (first + second).lower() in JOINED else whole
