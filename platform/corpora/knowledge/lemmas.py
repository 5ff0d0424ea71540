"""Words into their dictionary form, by simplemma (MIT): kept up, and its dictionaries come with the package.

WordNet's lemmatizer needs a download and spaCy's a model or a package of 90 MB.
"""

from functools import lru_cache

import simplemma


@lru_cache(maxsize=200_000)
def lemma(word: str, language: str = "en") -> str:
    """The lemma of a word, in small letters: `Patients` is `patient`, `drawn` is `draw`. Unknown words stay."""
    return simplemma.lemmatize(word, lang=language).lower()
