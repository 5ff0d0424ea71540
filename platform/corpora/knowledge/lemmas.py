"""Words into their dictionary form, by simplemma (MIT): kept up, and its dictionaries come with the package.

WordNet's lemmatizer needs a download and spaCy's a model or a package of 90 MB.
"""

import re
from functools import lru_cache

from foundation.lazy_import import lazy_import

simplemma = lazy_import("simplemma")

# simplemma 2.0 gives `playing` as `playe`, `fixed` as `fixe`, `developed` as `develope`.
NEEDLESS_E = re.compile(r"(?:\w{2,}[wxy]|develop)e")


@lru_cache(maxsize=200_000)
def lemma(word: str, language: str = "en") -> str:
    """The lemma of a word, in small letters: `Patients` is `patient`, `drawn` is `draw`. Unknown words stay."""
    found: str = simplemma.lemmatize(word, lang=language).lower()
    if language == "en" and word.lower().endswith(("ed", "ing")) and NEEDLESS_E.fullmatch(found):
        return found[:-1]
    return found
