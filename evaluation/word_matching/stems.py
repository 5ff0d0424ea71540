"""Porter's stems (Porter 1980), NLTK's: those of the last words are kept."""

from collections.abc import Callable
from functools import lru_cache
from importlib.metadata import version

CACHED_STEMS = 100_000


@lru_cache(maxsize=1)
def stemmer() -> Callable[[str], str]:
    """From a word to its stem, in lower case; with NLTK's additions to the rules, its default."""
    from nltk.stem.porter import PorterStemmer  # only where somebody stems

    return lru_cache(maxsize=CACHED_STEMS)(PorterStemmer().stem)


@lru_cache(maxsize=1)
def stemmer_version() -> str:
    """NLTK with its version, for signatures; NLTK itself takes a second to import."""
    return f"nltk-{version('nltk')}"
