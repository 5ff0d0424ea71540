"""The Hub as its own library speaks with it, in sentences and within limits."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from django.conf import settings

from corpora.formats import MEGABYTE
from foundation.errors import UserError
from foundation.project import version
from integrations.failures import ServiceError

MOST = 500 * MEGABYTE
"""Bytes of a data set that is pulled, as of a file that is uploaded and unpacked."""
READ = (".parquet", ".csv", ".tsv", ".jsonl", ".json", ".txt", ".md")
Step = Callable[[int, int], None]


class Hub:
    """The Hub for somebody with a token, or for everybody where it is ""."""

    def __init__(self, token: str) -> None:
        from huggingface_hub import HfApi  # of workers alone

        self.api = HfApi(
            endpoint=settings.HUGGING_FACE_URL, token=token or False, library_name="restyle", library_version=version()
        )

    def push(
        self, name: str, folder: Path, *, private: bool, gated: bool, said: str, step: Step
    ) -> tuple[str, str]:  # fmt: skip
        """Make the data set where it is missing, and its files these; its address, and the commit."""
        from huggingface_hub import CommitOperationAdd, CommitOperationDelete

        with _translated(name), ExitStack() as stack:
            url = self.api.create_repo(name, repo_type="dataset", private=private, exist_ok=True)
            if gated:  # before there is a file to read
                self.api.update_repo_settings(name, repo_type="dataset", gated="manual")
            step(0, 2)
            paths = sorted(path for path in folder.rglob("*") if path.is_file())
            own = {path.relative_to(folder).as_posix(): path for path in paths}
            there = [entry.path for entry in self.api.list_repo_tree(name, repo_type="dataset", recursive=True)
                     if hasattr(entry, "size")]  # fmt: skip
            gone = [path for path in there if path not in own and path != ".gitattributes"]
            # Open files go by Git LFS, whose requests are plain; paths would go by Xet, a protocol of its own.
            opened = {path: stack.enter_context(file.open("rb")) for path, file in own.items()}
            operations: list[Any] = [CommitOperationAdd(path, file) for path, file in opened.items()]
            operations += [CommitOperationDelete(path) for path in gone]
            step(1, 2)
            commit = self.api.create_commit(name, operations, commit_message=said, repo_type="dataset")
        step(2, 2)
        return str(url), str(commit.oid)

    def pull(self, name: str, folder: Path, step: Step) -> str:
        """Download its tables and texts into a folder; the commit that they are of."""
        with _translated(name):
            revision = str(self.api.dataset_info(name).sha)
            entries = self.api.list_repo_tree(name, repo_type="dataset", revision=revision, recursive=True)
            sizes = {entry.path: entry.size for entry in entries if hasattr(entry, "size")}
            wanted = {path: size for path, size in sizes.items() if path.endswith(READ)}
            if not wanted:
                raise UserError("The data set {name} has no table and no text.", name=name, where="target")
            if sum(wanted.values()) > MOST:
                raise UserError("The data set {name} is larger than {most} MB.", name=name, most=MOST // MEGABYTE,
                                where="target")  # fmt: skip
            for number, path in enumerate(wanted):
                step(number, len(wanted))
                self.api.hf_hub_download(name, path, repo_type="dataset", revision=revision, local_dir=folder)
        step(len(wanted), len(wanted))
        return revision


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


def _refused(name: str, status: int) -> ServiceError:
    if status == 401:
        said = "The Hugging Face Hub does not know this access token, or has no data set {name} for everybody."
    elif status == 403:
        said = "This access token may not write to or read {name}."
    elif status == 404:
        said = "The Hugging Face Hub has no data set {name}, or does not show it to this access token."
    elif status == 429:
        said = "The Hugging Face Hub got too many requests; try again later."
    else:
        said = "The Hugging Face Hub answered {code} about {name}."
    permanent = 400 <= status < 500 and status not in (408, 429)
    where = "target" if status == 404 else ""
    return ServiceError(said, permanent=permanent, status=status, code=status, name=name, where=where)
