"""The time that reading a text takes."""

import re

SECONDS_A_WORD = 60 / 238
"""Silent reading of English non-fiction by adults, 238 words a minute, the mean over 190 studies (Brysbaert 2019, "How
many words do we read per minute?", doi:10.1016/j.jml.2019.104047). Fiction is read at 260."""
LETTERS_A_WORD = 1.6
"""Of a script that puts no space between words: Chinese, of which 158 words, or 255 letters, are read aloud a minute
(Trauzettel-Klosinski and Dietz 2012, "Standardized assessment of reading performance", doi:10.1167/iovs.11-8284, over
25 readers). Japanese, 193 words or 357 letters, has 1.85: there this counts a seventh too many."""
UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
)
"""Thai, Lao, Burmese, Khmer, Japanese, and Chinese letters."""


def word_count(text: str) -> int:
    """The words of a text as somebody reads them; where they have no spaces, by the number of letters."""
    if text.isascii():
        return len(text.split())
    spaced, letters = UNSPACED.subn(" ", text)
    return len(spaced.split()) + round(letters / LETTERS_A_WORD)
