"""`python -m tools.gpucheck --out FOLDER`: every check, its row in FOLDER/gpucheck.json and gpucheck.md.

Checks with a row there are not run again. The status is 0 where no check failed.
"""

import sys
from pathlib import Path

OLDEST_PYTHON, OLDEST_TORCH = (3, 11), (2, 9)


def refusal() -> str:
    """The reason why it cannot run here, in a sentence; "" where it can."""
    if sys.version_info < OLDEST_PYTHON:
        return f"gpucheck needs Python 3.11 or newer, and this is {sys.version.split()[0]}."
    try:
        import torch
    except ImportError as error:
        return f"gpucheck needs PyTorch 2.9 or newer, and it cannot be imported: {error}."
    if tuple(int(part) for part in torch.__version__.split(".")[:2]) < OLDEST_TORCH:
        return f"gpucheck needs PyTorch 2.9 or newer, and this is {torch.__version__}."
    return ""


def main() -> int:
    """Run what the arguments ask for."""
    said = refusal()
    if said:
        print(said, file=sys.stderr)
        return 2
    sys.path.append(str(Path(__file__).parents[2] / "platform"))  # where no launcher has said it
    from tools.gpucheck.suite import run

    return run(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
