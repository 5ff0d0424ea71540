"""What the medical concepts of a text mean, as words that a network reads beside it (Cao et al. 2020, section 4.10).

MSD's concepts were linked by QuickUMLS; here the site's lexicon or UMLS links them and defines them.
"""

from collections.abc import Sequence

from corpora.knowledge.concepts import about, linker
from modelserving.training.tokenization import Tokenizer


def definition_words(words: Sequence[str], tokenizer: Tokenizer, most: int) -> list[str]:
    """The words of the definitions, each concept's once, in the order of the text; so many words at most."""
    found = {mention.cui: mention.concept.definition for mention in linker().link(tokenizer.detokenize(words))}
    return [word for definition in found.values() for word in tokenizer.tokenize(definition)][:most]


def lexicon_signature() -> str:
    """Which lexicon defines them."""
    known = about()
    return f"concepts:{known.name}-{known.concepts}"
