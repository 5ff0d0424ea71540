"""The secret key of an installation that was given none."""

import os
import secrets
from pathlib import Path


def secret_key(folder: Path) -> str:
    """Read `folder/secret-key`; where it is missing make it, readable by its owner alone."""
    file = folder / "secret-key"
    if not file.exists():
        folder.mkdir(parents=True, exist_ok=True)
        _write_once(file, secrets.token_urlsafe(50))
    return file.read_text().strip()


def _write_once(file: Path, key: str) -> None:
    """Write the whole key under another name and link it: two processes that start together keep one key."""
    draft = file.with_name(f"{file.name}.{os.getpid()}")
    with open(os.open(draft, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600), "w") as stream:
        stream.write(key)
    try:
        os.link(draft, file)
    except FileExistsError:
        pass
    finally:
        draft.unlink()
