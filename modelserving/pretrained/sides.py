"""What training an encoder and a decoder takes beside what any model of transformers does."""

from pathlib import Path

from transformers import Seq2SeqTrainer

from foundation.base_folder import OURS
from foundation.errors import UserError
from modelserving.pretrained.model import PretrainedModel
from modelserving.pretrained.token_rows import PairCollator
from modelserving.pretrained.trainer import Bridged
from modelserving.training import weights


class SidesTrainer(Bridged, Seq2SeqTrainer):  # type: ignore[misc]
    """Seq2SeqTrainer, bridged."""


def collator_of(model: PretrainedModel) -> PairCollator:
    """A UserError where the folder does not say with what outputs begin."""
    tokens = model.net.generation_config
    start, pad = tokens.decoder_start_token_id, tokens.pad_token_id
    if start is None or pad is None:
        raise UserError("The configuration does not say which token fills up (pad_token_id) and with which outputs "
                        "begin (decoder_start_token_id).", where=model.folder.where)  # fmt: skip
    return PairCollator(pad, start)


def restore(model: PretrainedModel, folder: Path) -> None:
    """Give the model the weights that were saved there."""
    found = model.net.load_state_dict(weights.read(folder / OURS), strict=False)
    tied = set(model.net.all_tied_weights_keys)
    if found.unexpected_keys or set(found.missing_keys) - tied:
        raise UserError("The weights do not fit the model.", where=OURS)
