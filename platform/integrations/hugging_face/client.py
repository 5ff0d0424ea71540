"""The Hub as its own library speaks with it, in sentences and within limits."""

from collections.abc import Callable, Collection, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from django.conf import settings

from corpora.formats import MEGABYTE
from foundation import checkpoint_members
from foundation.errors import UserError
from foundation.project import version
from integrations.failures import ServiceError
from modelserving.training.checkpoint import MANIFEST, MOST_MEMBERS, SAFE_NAME

MOST = 500 * MEGABYTE
"""Bytes of a data set that is pulled, as of a file that is uploaded and unpacked."""
READ = (".parquet", ".csv", ".tsv", ".jsonl", ".json", ".txt", ".md")
PICKLED = (".bin", ".pt", ".pth", ".ckpt", ".pkl", ".pickle", ".joblib", ".npy", ".npz", ".h5", ".keras")
"""Files of models that may run code when they are read."""
DATA_SET, MODEL = "dataset", "model"
Step = Callable[[int, int], None]


class Hub:
    """The data sets or models of the Hub, for somebody with a token, or for everybody where it is ""."""

    def __init__(self, token: str, kind: str = DATA_SET) -> None:
        from huggingface_hub import HfApi  # of workers alone

        self.kind = kind
        self.api = HfApi(
            endpoint=settings.HUGGING_FACE_URL, token=token or False, library_name="restyle", library_version=version()
        )

    def push(
        self, name: str, folder: Path, *, private: bool, gated: bool, said: str, step: Step
    ) -> tuple[str, str]:  # fmt: skip
        """Make the repository where it is missing, and its files these; its address, and the commit."""
        from huggingface_hub import CommitOperationAdd, CommitOperationDelete

        with _translated(name), ExitStack() as stack:
            url = self.api.create_repo(name, repo_type=self.kind, private=private, exist_ok=True)
            if gated:  # before there is a file to read
                self.api.update_repo_settings(name, repo_type=self.kind, gated="manual")
            step(0, 2)
            paths = sorted(path for path in folder.rglob("*") if path.is_file())
            own = {path.relative_to(folder).as_posix(): path for path in paths}
            gone = [path for path in self._sizes(name, "main") if path not in own and path != ".gitattributes"]
            # Open files go by Git LFS, whose requests are plain; paths would go by Xet, a protocol of its own.
            opened = {path: stack.enter_context(file.open("rb")) for path, file in own.items()}
            operations: list[Any] = [CommitOperationAdd(path, file) for path, file in opened.items()]
            operations += [CommitOperationDelete(path) for path in gone]
            step(1, 2)
            commit = self.api.create_commit(name, operations, commit_message=said, repo_type=self.kind)
        step(2, 2)
        return str(url), str(commit.oid)

    def pull(self, name: str, folder: Path, step: Step) -> str:
        """Download tables and texts, or a model, into a folder; the commit that they are of."""
        choose, most = (_of_model, settings.CHECKPOINT_LIMIT_BYTES) if self.kind == MODEL else (_of_data_set, MOST)
        with _translated(name):
            revision = str(self.api.repo_info(name, repo_type=self.kind).sha)
            sizes = self._sizes(name, revision)
            wanted = choose(name, sizes)
            if sum(sizes[path] for path in wanted) > most:
                raise UserError("The files of {name} are larger than {most:,} MB.", name=name, most=most // MEGABYTE,
                                where="target")  # fmt: skip
            for number, path in enumerate(wanted):
                step(number, len(wanted))
                self.api.hf_hub_download(name, path, repo_type=self.kind, revision=revision, local_dir=folder)
        step(len(wanted), len(wanted))
        return revision

    def _sizes(self, name: str, revision: str) -> dict[str, int]:
        """The files that are there, with their bytes."""
        entries = self.api.list_repo_tree(name, repo_type=self.kind, revision=revision, recursive=True)
        return {entry.path: entry.size for entry in entries if hasattr(entry, "size")}


def _of_data_set(name: str, there: Collection[str]) -> list[str]:
    wanted = [path for path in there if path.endswith(READ)]
    if not wanted:
        raise UserError("The data set {name} has no table and no text.", name=name, where="target")
    return wanted


def _of_model(name: str, there: Collection[str]) -> list[str]:
    """The files of a checkpoint; a UserError where it is none, or somebody put files there that may run code."""
    if pickled := next((path for path in there if path.endswith(PICKLED)), ""):
        raise UserError(
            "{name} holds {file}, a form of file that can run a stranger's code when it is read: models are pulled as"
            " safetensors alone.", name=name, file=pickled[:100], where="target",
        )  # fmt: skip
    if MANIFEST not in there:
        raise UserError("{name} is not a model that Restyle pushed: it has no {file}.", name=name, file=MANIFEST,
                        where="target")  # fmt: skip
    wanted = [path for path in there if SAFE_NAME.fullmatch(path) and checkpoint_members.is_known(path)]
    if len(wanted) > MOST_MEMBERS:
        raise UserError("{name} has more than {most} files.", name=name, most=MOST_MEMBERS, where="target")
    return wanted


@contextmanager
def _translated(name: str) -> Iterator[None]:
    """The library's errors as sentences, which say whether another try can help."""
    import httpx2
    from huggingface_hub.errors import HfHubHTTPError, LocalEntryNotFoundError

    try:
        yield
    except HfHubHTTPError as error:
        status = error.response.status_code
        raise _refused(name, status) from None
    except (httpx2.HTTPError, LocalEntryNotFoundError, OSError):
        raise ServiceError("The Hugging Face Hub cannot be reached, or broke off.", permanent=False) from None
    except (ValueError, KeyError, AssertionError):
        raise ServiceError("The Hugging Face Hub gave half an answer.", permanent=False) from None


SAID = {
    401: "The Hugging Face Hub does not know this access token, or does not show {name} to everybody.",
    403: "This access token may not write to or read {name}.",
    404: "The Hugging Face Hub has no {name}, or does not show it to this access token.",
    429: "The Hugging Face Hub got too many requests; try again later.",
}


def _refused(name: str, status: int) -> ServiceError:
    said = SAID.get(status, "The Hugging Face Hub answered {code} about {name}.")
    permanent = 400 <= status < 500 and status not in (408, 429)
    where = "target" if status == 404 else ""
    return ServiceError(said, permanent=permanent, status=status, code=status, name=name, where=where)
