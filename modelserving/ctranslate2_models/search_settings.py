"""How texts are looked for, in CTranslate2's words, and what of transformers' search it has no equal of.

Greedy search and the beam give what transformers gives; tests hold them to each other. CTranslate2 takes blocked words
out before the softmax and transformers behind it, so that with a beam the scores of all others differ: such settings
are refused rather than answered otherwise.
"""

from dataclasses import dataclass

from foundation.errors import UserError


@dataclass(frozen=True)
class SearchSettings:
    """As `generate` of transformers names them: lengths in tokens, END counted, the token that begins an output not.

    `first` is the token that each output begins with (`forced_bos_token_id`), `last` the one that ends an output at the
    limit (`forced_eos_token_id`); None where there is none.
    """

    num_beams: int = 1
    length_penalty: float = 1.0
    max_new_tokens: int = 200
    min_new_tokens: int = 0
    no_repeat_ngram_size: int = 0
    early_stopping: bool = True
    do_sample: bool = False
    first: int | None = None
    last: int | None = None

    def check(self) -> None:
        """A UserError that names the setting which CTranslate2 would answer otherwise than transformers does."""
        if self.do_sample:
            raise _refused("draws words by other chances", "search without sampling", "sample")
        if self.num_beams == 1:
            return
        if self.no_repeat_ngram_size or self.min_new_tokens > 1:
            named = "no_repeat" if self.no_repeat_ngram_size else "shortest"
            raise _refused("blocks words in another way than PyTorch's beam does", "a beam of 1", named)
        if self.length_penalty and not self.early_stopping:
            raise _refused("ends a beam as soon as it is full", "early stopping", "early_stopping")
        if not self.length_penalty and self.early_stopping:
            raise _refused("goes on until the best text ends where there is no length penalty", "no early stopping",
                           "early_stopping")  # fmt: skip


def _refused(why: str, otherwise: str, where: str) -> UserError:
    return UserError(
        "CTranslate2 {why}: choose {otherwise}, or the engine pytorch.", why=why, otherwise=otherwise, where=where
    )
