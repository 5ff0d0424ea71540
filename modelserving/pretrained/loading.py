"""A checked folder as a model or an encoder of transformers: every tensor comes from its files, or it is refused."""

import importlib
import math
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from foundation.base_folder import BaseFolder
from foundation.errors import UserError

if TYPE_CHECKING:
    import torch

SIDES = "AutoModelForSeq2SeqLM"  # transformers' name for encoders and decoders
TOKENS = (
    "bos_token_id", "eos_token_id", "pad_token_id", "decoder_start_token_id", "forced_bos_token_id",
    "forced_eos_token_id",
)  # fmt: skip
DROPPED = (
    "architectures", "attn_implementation", "dtype", "id2label", "label2id", "task_specific_params", "torch_dtype",
    "transformers_version",
)  # fmt: skip
SLACK = 1_000_000  # numbers of a model beside its tensors: buffers, and tied weights


def load_network(folder: BaseFolder, dtype: "torch.dtype | None" = None, device: str = "cpu", kind: str = SIDES) -> Any:
    """Load the weights.

    Args:
        folder: Their folder.
        dtype: The type of the weights; float32 if it is None.
        device: The device for them.
        kind: transformers' name of the class of models that builds it.

    Returns:
        transformers' PreTrainedModel, in evaluation mode, its generation configuration reduced to the special tokens.

    Raises:
        UserError: transformers does not take the configuration, or it disagrees with the weights.
    """
    quiet()
    config, blank = blank_model(folder, kind)
    model = fill(folder, config, blank, dtype)
    model.generation_config = token_ids(folder)
    return model.to(device).eval()


def fill(
    folder: BaseFolder, config: Any, blank: Any, dtype: "torch.dtype | None" = None,
    left_out: Callable[[str], bool] = lambda name: False,
) -> Any:  # fmt: skip
    """The `blank` model with the folder's weights; raises as `load_network`.

    Tensors of names that are `left_out` are not read, nor missed.
    """
    import torch

    check_size(folder, blank)
    tensors = {name: one for name, one in _tensors(folder).items() if not left_out(name)}
    try:
        model, found = blank.from_pretrained(
            None, config=config, state_dict=tensors, dtype=dtype or torch.float32, output_loading_info=True,
            local_files_only=True, use_safetensors=True, trust_remote_code=False,
        )  # fmt: skip
    except (RuntimeError, ValueError, KeyError, TypeError, AttributeError, IndexError) as error:
        raise _disagrees(folder, _first_line(error)) from None
    for what, said in (("missing_keys", "is missing"), ("mismatched_keys", "has another shape"),
                       ("unexpected_keys", "is not of this architecture")):  # fmt: skip
        if names := sorted(name for name in map(str, found[what]) if not left_out(name)):
            raise _disagrees(folder, f"{names[0][:100]} {said}")
    return model


def check_size(folder: BaseFolder, blank: Any) -> None:
    """Raise a UserError where a model of the configuration's sizes is far larger than the tensors in the files."""
    needed = sum(parameter.numel() for parameter in blank.parameters())
    if needed > 2 * folder.numbers + SLACK:
        raise _disagrees(folder, f"a model of these sizes has {needed:,} numbers, and there are {folder.numbers:,}")


def token_ids(folder: BaseFolder) -> Any:
    """The special tokens at the beginning and the end of outputs, without the folder's other settings of generation."""
    both = {**folder.config, **folder.generation}
    found = {name: both[name] for name in TOKENS if both.get(name) is not None}
    pieces = both.get("vocab_size", 0)
    for name, value in found.items():
        listed = value if isinstance(value, list) else [value]
        if not listed or not all(type(one) is int and 0 <= one < pieces for one in listed):
            raise UserError(
                "The special token {name} is {value}, which the model has no piece for.",
                name=name,
                value=str(value)[:60],
                where=folder.where,
            )
    return library().GenerationConfig(**found)


def library() -> Any:
    """The module transformers, without types."""
    return importlib.import_module("transformers")


def quiet() -> None:
    """Have transformers neither draw bars nor report on loading: faults are raised."""
    logging = library().utils.logging
    logging.disable_progress_bar()
    logging.set_verbosity_error()


def blank_model(folder: BaseFolder, kind: str, **changed: Any) -> tuple[Any, Any]:
    """The configuration with the `changed` values, and the model without memory for its weights."""
    import torch

    generating = set(library().GenerationConfig().to_dict()) - set(TOKENS)
    plain = {
        name: value
        for name, value in folder.config.items()
        if not name.startswith("_") and name not in (*DROPPED, "model_type") and name not in generating
    }
    try:
        config = library().AutoConfig.for_model(folder.architecture, **{**plain, **changed})
        with torch.device("meta"):
            return config, getattr(library(), kind).from_config(config)
    except Exception as error:  # whatever transformers stumbles over in a configuration of a stranger
        raise UserError(
            "No model can be built from this configuration: {detail}",
            detail=_first_line(error),
            where=folder.where,
        ) from None


def _tensors(folder: BaseFolder) -> Mapping[str, "torch.Tensor"]:
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    tensors: dict[str, Any] = {}
    for file in folder.weights:
        try:
            # Copies: load_file maps the file itself, so its tensors change if somebody overwrites it.
            tensors |= {name: one.clone() for name, one in load_file(file).items()}
        except (OSError, SafetensorError):
            raise UserError("The file of weights is missing or broken.",
                            where=f"{folder.where}, {file.name}") from None  # fmt: skip
    if sum(math.prod(one.shape) for one in tensors.values()) != folder.numbers:
        raise UserError("The file of weights has just been changed; try again.", where=folder.where)
    return tensors


def _disagrees(folder: BaseFolder, how: str) -> UserError:
    return UserError("The configuration disagrees with the weights: {how}.", how=how.rstrip("."), where=folder.where)


def _first_line(error: Exception) -> str:
    return (
        f"{str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__}"[:300].rstrip(".") + "."
    )


# A checked folder as an encoder of transformers: the states of its layers for each token, without heads.

KIND = "AutoModel"  # transformers' name for models without a head
READS = {"is_decoder": False, "add_cross_attention": False}  # whatever the folder was used for


def load_encoder(folder: BaseFolder, dtype: "torch.dtype | None" = None, device: str = "cpu") -> Any:
    """Load the weights.

    Further heads in the folder, such as that of masked words, are left out, and so is BERT's pooler, which not all
    folders have.

    Args:
        folder: Their folder.
        dtype: The type of the weights; float32 if it is None.
        device: The device for them.

    Returns:
        transformers' PreTrainedModel, in evaluation mode: `encoder(input_ids=..., attention_mask=...)` (n, T) each
        has `last_hidden_state` (n, T, H).

    Raises:
        UserError: transformers does not take the configuration, or it disagrees with the weights.
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
    """The encoder of the folder's configuration on the CPU, with random weights; raises as `load_encoder`."""
    quiet()
    config, blank = blank_model(folder, KIND, **READS)
    check_size(folder, blank)
    return _without_pooler(getattr(library(), KIND).from_config(config))


def _without_pooler(encoder: Any) -> Any:
    if hasattr(encoder, "pooler"):
        encoder.pooler = None
    return encoder
