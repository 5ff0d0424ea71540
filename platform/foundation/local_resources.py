"""Files and folders that a lab brings itself: pretrained models, word vectors, programs. Nothing is fetched.

All lie below one folder, named by RESTYLE_MODELS; a setting or a form names them relative to it.
"""

import os
from pathlib import Path

from foundation.errors import UserError
from foundation.translation import translate, translated

VARIABLE = "RESTYLE_MODELS"


def models_root() -> Path | None:
    """The folder; None where none is named or it is not there."""
    named = os.environ.get(VARIABLE, "")
    root = Path(named) if named else None
    return root if root is not None and root.is_dir() else None


def local_path(name: str, where: str = "") -> Path | None:
    """The file or folder of that name below the root; None where there is none.

    A UserError where the name leads out of the root.
    """
    root = models_root()
    if not name or root is None:
        return None
    base = root.resolve()
    try:
        found = (base / name).resolve()
        there = found.exists()
    except (OSError, ValueError):  # longer than a file's name can be, or with a character that none can have
        return None
    if base not in found.parents:
        raise UserError("'{name}' leads out of {variable}.", name=name, variable=VARIABLE, where=where)
    return found if there else None


def missing_resource_message(what: str, name: str) -> str:
    """The sentence for a missing resource: "There is no METEOR program 'meteor-1.5.jar' ..."."""
    if not name:
        return translate(
            "No {what} is named; put one below the folder that {variable} names, and name it.",
            what=translated(what), variable=VARIABLE,
        )  # fmt: skip
    if models_root() is None:
        return translate(
            "There is no {what} '{name}': {variable} names no folder on this machine.",
            what=translated(what), name=name, variable=VARIABLE,
        )  # fmt: skip
    return translate(
        "There is no {what} '{name}' below {variable}; put it there.",
        what=translated(what), name=name, variable=VARIABLE,
    )  # fmt: skip
