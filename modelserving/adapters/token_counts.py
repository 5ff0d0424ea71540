"""How many tokens texts have for the tokenizer of a folder: without transformers, for a side process of the web."""

from collections.abc import Sequence
from pathlib import Path

from foundation.errors import UserError

TOKENIZER = "tokenizer.json"


def count_tokens(folder: Path, texts: Sequence[str]) -> int:
    """How many tokens the texts have together; a UserError where the folder's tokenizer cannot be read."""
    from tokenizers import Tokenizer

    try:
        tokenizer = Tokenizer.from_file(str(folder / TOKENIZER))
    except Exception:  # whatever the library stumbles over in a stranger's file
        raise UserError("The tokenizer is missing or cannot be read.", where=folder.name) from None
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return sum(len(one.ids) for one in tokenizer.encode_batch(list(texts), add_special_tokens=False))
