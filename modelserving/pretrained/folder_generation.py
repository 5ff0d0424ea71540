"""How a folder says that its model generates, in options of ours."""

from foundation.base_folder import CONFIG, GENERATION, BaseFolder
from foundation.errors import UserError
from foundation.options import options_as_stored, validate_options
from modelserving.pretrained.options import UntunedOptions

# transformers' names, what goes before another first; max_length and min_length count the token that begins an output.
NAMES = {
    "num_beams": ("beam", 0), "early_stopping": ("early_stopping", 0), "length_penalty": ("length_penalty", 0),
    "no_repeat_ngram_size": ("no_repeat", 0), "max_new_tokens": ("longest", 0), "max_length": ("longest", 1),
    "min_new_tokens": ("shortest", 0), "min_length": ("shortest", 1),
}  # fmt: skip


def as_folder_says(decoding: UntunedOptions, folder: BaseFolder) -> UntunedOptions:
    """The options, each that is at its default as the folder has it, where it says something.

    As transformers reads a folder: its generation_config.json, or where there is none what config.json says.

    Raises:
        UserError: The folder says something that the option does not take.
    """
    if not decoding.as_folder:
        return decoding
    said, usual = folder.generation or folder.config, type(decoding)()
    found: dict[str, object] = {}
    for name, (ours, begin) in NAMES.items():
        value = said.get(name)
        if value is not None and ours not in found and getattr(decoding, ours) == getattr(usual, ours):
            found[ours] = max(0, value - begin) if begin and type(value) is int else value
    try:
        chosen: UntunedOptions = validate_options(type(decoding), {**options_as_stored(decoding), **found})
    except UserError as error:
        file = GENERATION if folder.generation else CONFIG
        raise UserError("The folder's {file} says how to search, and not as it can be done here: {error} Set the "
"option, or search without the folder's settings.", file=file, error=error, where="as_folder") from None  # fmt: skip
    return chosen
