"""What a pretraining leaves: a folder as transformers saves one, and pretraining.json, which says of what."""

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from foundation.errors import UserError
from modelserving.training.checkpoint import versions

ABOUT = "pretraining.json"
STATE = "state"  # of one that is under way
CONFIG = "config.json"
SETTINGS = "settings.json"
FORMAT = "restyle pretraining 1"


def state_of(out: Path, settings: Mapping[str, Any]) -> Path:
    """The folder of what it goes on from, inside `out`.

    A UserError where `out` holds something else, or a pretraining with other settings.
    """
    state = out / STATE
    if (state / SETTINGS).exists():
        _compare(json.loads((state / SETTINGS).read_text(encoding="utf-8")), settings, out)
    elif (out / ABOUT).exists():
        raise UserError("There is a pretrained model already; name another folder.", where=str(out))
    elif out.exists() and (not out.is_dir() or [one.name for one in out.iterdir() if one.name != STATE]):
        raise UserError("The folder holds something else; name a new one.", where=str(out))
    else:
        state.mkdir(parents=True, exist_ok=True)
        state.chmod(0o700)  # it holds texts
        draft = state / f".{SETTINGS}"
        draft.write_text(json.dumps(settings, ensure_ascii=False), encoding="utf-8")
        draft.rename(state / SETTINGS)
    return state


def _compare(before: Mapping[str, Any], now: Mapping[str, Any], out: Path) -> None:
    names = [name for name in {**before, **now} if before.get(name) != now.get(name)]
    if names:
        raise UserError(
            "A pretraining with other settings was stopped here: {names} was {before}, and is {now}. "
            "Say the same, or name another folder.",
            names=names[0],
            before=str(before.get(names[0]))[:100],
            now=str(now.get(names[0]))[:100],
            where=str(out),
        )


def write_outcome(out: Path, weights: Path, about: Mapping[str, Any]) -> None:
    """Move what was trained into `out`, with what it is; config.json comes last, so that half a folder is no model."""
    for path in sorted(weights.iterdir(), key=lambda one: one.name == CONFIG):
        if path.name == CONFIG:
            whole = {"format": FORMAT, **about, "versions": versions()}
            (out / ABOUT).write_text(json.dumps(whole, ensure_ascii=False, indent=1), encoding="utf-8")
        shutil.copyfile(path, out / path.name)
    shutil.rmtree(out / STATE)
