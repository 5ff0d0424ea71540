"""A looked-at folder as an encoder of transformers: what its layers say of each token, and nothing on top of them."""

from typing import TYPE_CHECKING, Any

from foundation.base_folder import BaseFolder
from modelserving.pretrained.loading import blank_model, check_size, fill, library, quiet

if TYPE_CHECKING:
    import torch

KIND = "AutoModel"  # transformers' name for models without a head
READS = {"is_decoder": False, "add_cross_attention": False}  # whatever the folder was used for


def load_encoder(folder: BaseFolder, dtype: "torch.dtype | None" = None, device: str = "cpu") -> Any:
    """Load the weights.

    Heads that the folder holds besides, as that of masked words, are left out, and so is BERT's pooler, which folders
    have or have not.

    Args:
        folder: Where they are.
        dtype: Of the weights; float32 where it is None.
        device: Where they go.

    Returns:
        transformers' PreTrainedModel, in evaluation mode: `encoder(input_ids=..., attention_mask=...)` (n, T) each
        has `last_hidden_state` (n, T, H).

    Raises:
        UserError: The configuration is none that transformers takes, or disagrees with the weights.
    """
    quiet()
    config, blank = blank_model(folder, KIND, **READS)
    prefix = f"{blank.base_model_prefix}."
    headed = any(name.startswith(prefix) for name in folder.shapes)  # then heads stand beside the prefix

    def left_out(name: str) -> bool:
        of_encoder = name.removeprefix(prefix)
        return of_encoder.startswith("pooler.") or (headed and of_encoder == name and name in folder.shapes)

    return _without_pooler(fill(folder, config, blank, dtype, left_out)).to(device).eval()


def new_encoder(folder: BaseFolder) -> Any:
    """The encoder of the folder's configuration on the CPU, with weights by chance; raises as `load_encoder`."""
    quiet()
    config, blank = blank_model(folder, KIND, **READS)
    check_size(folder, blank)
    return _without_pooler(getattr(library(), KIND).from_config(config))


def _without_pooler(encoder: Any) -> Any:
    if hasattr(encoder, "pooler"):
        encoder.pooler = None
    return encoder
