"""EditNTS (Dong et al. 2019): says which words to keep, delete and add; MedLane's paper compares with it (section 5.1).

Settings are the paper's. It begins with GloVe's vectors and reads parts of speech of NLTK's tagger, which are files
from outside: `vectors` and `tagger` name them if a lab has them; without them embeddings begin at random, and only
words are read. Its weight decay of 1e-6 is left out, since `adam` has none here. Validation by BLEU and the patience
are MedLane's. `balance` is the paper's loss; in the authors' program, which has lines for it, it is off.

Pairs are learnt as the fewest edits between them, with STOP in place of the words kept at the end
(`edit_operations.oracle_edits`). The authors' program finds the same edits, but if the last one is not KEEP (a third
of ASSET's pairs), it puts STOP before edits that are still to come; here STOP is the last edit of each pair.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from foundation.errors import UserError
from foundation.options import option
from foundation.papers import Paper
from modelserving import edit_operations
from modelserving.edit_operations import TaggedVocabularies, edits_of, execute
from modelserving.interface import Direction
from modelserving.neural_transfer.kind import NetworkTransfer, check_vectors, load_vectors
from modelserving.neural_transfer.model import NetworkModel
from modelserving.neural_transfer.options import RecurrentSizes, TextOptions
from modelserving.training.callbacks import Callbacks
from modelserving.training.dataset import TrainingData
from modelserving.training.recipe import EDITS, NETWORK, TEXTS, BeamSearchOptions
from modelserving.training.tokenization import Vocabularies

if TYPE_CHECKING:
    from modelserving.nets.beam_search import Hypothesis
    from modelserving.training.batches import Batch, Batches
    from modelserving.training.network import Network
    from modelserving.training.process_group import ProcessGroup
    from modelserving.training.validation import Validation


@dataclass(frozen=True)
class EditOptions(TextOptions, RecurrentSizes):
    batch: int = option(64, "Texts per batch", low=1, high=10_000)
    epochs: int = option(50, "Number of passes over all texts, at most", low=1, high=10_000)
    clip: float = option(1.0, "Longest gradient; 0 for none", low=0, rare=True)
    hidden: int = option(
        200, "Size of the encoder's states in each direction; the other states have twice that", low=1, high=4096
    )
    embedding: int = option(100, "Size of the embeddings of words and edits", low=1, high=4096)
    dropout: float = option(0.3, "Share of the encoder's inputs that is dropped in training", low=0, high=0.9)
    words: int = option(30_000, "Words that are known, at most", low=1, high=1_000_000)
    lowercase: bool = option(True, "Train on and write lower case", rare=True)
    balance: bool = option(
        True, "Each kind of edit counts by the inverse of its frequency in the training pairs", group=EDITS
    )
    add_weight: float = option(1.0, "Weight of the loss of an ADD", low=0.001, high=1000, rare=True, group=EDITS)
    keep_weight: float = option(1.0, "Weight of the loss of a KEEP", low=0.001, high=1000, rare=True, group=EDITS)
    delete_weight: float = option(1.0, "Weight of the loss of a DELETE", low=0.001, high=1000, rare=True, group=EDITS)
    identical: bool = option(False, "Train on pairs whose source and target are the same, too", rare=True, group=TEXTS)
    vectors: str = option("", "File of word vectors (GloVe's form) that the embeddings begin with", group=NETWORK)
    tagger: str = option(
        "", "Folder of NLTK's perceptron tagger below RESTYLE_MODELS, by which parts of speech are read; none without",
        group=NETWORK,
    )  # fmt: skip
    tags: int = option(30, "Size of the embeddings of parts of speech", low=1, high=4096, rare=True, group=NETWORK)

    def __post_init__(self) -> None:
        super().__post_init__()
        check_vectors(self)
        if self.tagger and self.subwords:
            raise UserError("Whole words have parts of speech: subwords must be 0 with a tagger.", where="tagger")


@dataclass(frozen=True)
class EditDecoding(BeamSearchOptions):
    """Greedy search, as in the authors' program; runs of the same edits are allowed."""

    beam: int = option(1, "Number of hypotheses of a text's edits (beam); 1 is greedy search", low=1, high=100)
    longest: int = option(
        200, "Limit of edits of a text, beside one for each of its words, twice them and ten; after that the rest "
        "is kept",
        low=1, high=2000, rare=True,
    )  # fmt: skip
    shortest: int = option(0, "Least number of edits of a text", low=0, high=2000, rare=True)
    no_repeat: int = option(0, "Not for edits, in which KEEP often repeats", low=0, high=0, rare=True)

    def limit(self, words: int) -> int:
        return words + super().limit(words)


class EditModel(NetworkModel):
    """Carries out the edits that its network says."""

    def _written(self, hypothesis: "Hypothesis", source: list[str], decoding: BeamSearchOptions) -> list[str]:
        return execute(source, edits_of(hypothesis.ids, self.vocabularies.target))

    def _save_vocabularies(self, folder: Path) -> None:
        super()._save_vocabularies(folder)
        if isinstance(self.vocabularies, TaggedVocabularies):
            self.vocabularies.tagger.write(folder / edit_operations.FILE)


class EditNts(NetworkTransfer):
    label = "EditNTS"
    paper = Paper(
        "Dong, Li, Rezagholizadeh and Cheung",
        2019,
        "EditNTS: An Neural Programmer-Interpreter Model for Sentence Simplification through Explicit Editing",
        "https://aclanthology.org/P19-1331/",
    )
    Options = EditOptions
    Decoding = EditDecoding
    Ready = EditModel
    shared = True

    def build(self, vocabularies: Vocabularies, options: EditOptions) -> "Network":
        from modelserving.nets.edit_programmer import EditProgrammer, EditSizes

        tags = len(vocabularies.tagger.vocabulary) if isinstance(vocabularies, TaggedVocabularies) else 0
        sizes = len(vocabularies.source), options.embedding, options.hidden, tags, options.tags, options.dropout
        return EditProgrammer(EditSizes(*sizes))

    def initialize(self, net: "Network", vocabularies: Vocabularies, options: EditOptions) -> None:
        from modelserving.nets.edit_programmer import EditProgrammer

        if options.vectors and isinstance(net, EditProgrammer):
            load_vectors(net.embed.weight, vocabularies.source, options)
            net.begin_output()

    def vocabularies_of(self, data: TrainingData, options: EditOptions) -> Vocabularies:
        found = super().vocabularies_of(data, options)
        if not options.tagger:
            return found
        tagger = edit_operations.tagger_below_models(options.tagger)
        return TaggedVocabularies(found.tokenizer, found.source, found.target, tagger)

    def read_vocabularies(self, folder: Path, options: EditOptions) -> Vocabularies:
        found = super().read_vocabularies(folder, options)
        if not options.tagger:
            return found
        return TaggedVocabularies(
            found.tokenizer, found.source, found.target, edit_operations.read(folder / edit_operations.FILE)
        )

    def batches(
        self, data: TrainingData, vocabularies: Vocabularies, options: EditOptions, callbacks: Callbacks,
        group: "ProcessGroup",
    ) -> "Batches":  # fmt: skip
        from modelserving.nets.edit_programmer import edit_batches

        return edit_batches(data.train, vocabularies, options, callbacks, group)

    def validation(
        self, model: NetworkModel, data: TrainingData, options: EditOptions, callbacks: Callbacks
    ) -> "Validation | None":
        """The validation by all tune texts, including those that need no edit."""
        return super().validation(model, data, replace(options, identical=True), callbacks)

    def source_batch(self, model: NetworkModel, texts: Sequence[list[str]], direction: Direction) -> "Batch":
        from modelserving.nets.edit_programmer import source_batch

        return source_batch(texts, model.vocabularies)


TRANSFER = EditNts()
