"""A trained phrase-based model: its phrase table, its language model and its weights."""

from dataclasses import dataclass
from pathlib import Path

from foundation.kneser_ney import Model as LanguageModel
from modelserving.phrase_based.decoder import Decoder
from modelserving.phrase_based.phrase_table import DecoderOptions, Floats, PhraseTable
from modelserving.phrase_based.table_files import save_model, save_table


@dataclass(frozen=True)
class PhraseModel:
    """What a model is made of; `weights` are in the order of FEATURES."""

    table: PhraseTable
    model: LanguageModel
    weights: Floats

    def decoder(self, search: DecoderOptions) -> Decoder:
        return Decoder(self.table, self.model, self.weights, search)

    def save(self, folder: Path) -> None:
        save_table(self.table, folder)
        save_model(self.model, folder)
