"""One check, in a process of its own: `python -m tools.gpucheck.child SETTINGS RESULT`.

An error, be it one after which CUDA answers nothing more, ends this process and no other.
"""

import json
import sys
import time
import traceback
from importlib import import_module
from pathlib import Path
from typing import Any

from tools.gpucheck.settings import CHECKS, CheckFailed, CheckSettings, Skipped

LONGEST = 6000  # characters of an error


def main(settings_text: str, result: str) -> None:
    """Do the check, and write its row."""
    settings = CheckSettings.loaded(settings_text)
    began = time.monotonic()
    row = outcome(settings)
    row["seconds"] = round(time.monotonic() - began, 1)
    Path(result).write_text(json.dumps(row, default=str), encoding="utf-8")


def outcome(settings: CheckSettings) -> dict[str, Any]:
    """`status` (passed, failed or skipped), `found`, and what it `said` where it did not pass."""
    try:
        if settings.on_gpu and not CHECKS[settings.name].starts_processes:
            import torch

            torch.cuda.set_device(settings.device)
        found = import_module(f"tools.gpucheck.{CHECKS[settings.name].module}").check(settings)
    except Skipped as why:
        return {"status": "skipped", "found": {}, "said": str(why)}
    except CheckFailed as failed:
        return {"status": "failed", "found": failed.found, "said": str(failed)}
    except BaseException as error:
        said = f"{type(error).__name__}: {error}"[:LONGEST]
        return {"status": "failed", "found": {}, "said": said, "traceback": traceback.format_exc()[-LONGEST:]}
    return {"status": "passed", "found": found, "said": ""}


if __name__ == "__main__":
    sys.path.append(str(Path(__file__).parents[2] / "platform"))
    main(*sys.argv[1:])
