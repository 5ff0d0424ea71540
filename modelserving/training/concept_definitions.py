"""Definitions of a text's medical concepts, as words that a network reads beside it (Cao et al. 2020, section 4.10).

MSD's concepts were linked by QuickUMLS; here the site's lexicon or UMLS links them and defines them.
"""

from collections.abc import Sequence

from corpora.knowledge.concepts import about, linker
from modelserving.training.tokenization import Tokenizer


def definition_words(words: Sequence[str], tokenizer: Tokenizer, most: int) -> list[str]:
    """The words of the definitions, those of each concept once, in the order of the text; at most so many."""
    found = {mention.cui: mention.concept.definition for mention in linker().link(tokenizer.detokenize(words))}
    return [word for definition in found.values() for word in tokenizer.tokenize(definition)][:most]


def lexicon_signature() -> str:
    """The signature of the lexicon that defines them."""
    known = about()
    return f"concepts:{known.name}-{known.concepts}"
