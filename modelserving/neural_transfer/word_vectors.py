"""Word vectors (GloVe's form) of a file below RESTYLE_MODELS that a network's embeddings begin with."""

from typing import TYPE_CHECKING, Any

from foundation.errors import UserError
from foundation.local_resources import local_path, missing_resource_message
from modelserving.training.vocabulary import Vocabulary

if TYPE_CHECKING:
    from torch import Tensor

WHERE = "vectors"


def check_vectors(options: Any) -> None:
    """A UserError where `vectors` are named and the model knows subwords."""
    if options.vectors and options.subwords:
        raise UserError("Word vectors are of whole words: subwords must be 0 with them.", where=WHERE)


def load_vectors(weight: "Tensor", words: Vocabulary, options: Any, width: str = "embedding") -> None:
    """Put into the embeddings (V, E) the vectors of the words that the file has, their own or those of small letters.

    `width` is the option that says E. A UserError where there is no such file, or its vectors are not of E numbers.
    """
    import torch

    from evaluation.learned_scorers.word_vectors import read_vectors

    path = local_path(options.vectors, where=WHERE)
    if path is None:
        raise UserError(missing_resource_message("file of word vectors", options.vectors), where=WHERE)
    listed = words.words
    found = read_vectors(path, set(listed) | {word.lower() for word in listed})
    size, numbers = weight.shape[1], next(map(len, found.values()), weight.shape[1])
    if numbers != size:
        raise UserError(
            "The vectors have {numbers} numbers: {width} must be {numbers} too.",
            numbers=numbers,
            width=width,
            where=WHERE,
        )
    with torch.no_grad():
        for place, word in enumerate(listed):
            vector = found.get(word, found.get(word.lower()))
            if vector is not None:
                weight[place] = torch.from_numpy(vector)
