"""Zenodo's deposit API (https://developers.zenodo.org/#rest-api): a deposition, its bucket of files, its metadata."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx2
from django.conf import settings

from foundation.errors import first_five
from integrations.failures import ServiceError

SECONDS = httpx2.Timeout(60, connect=15)


class Zenodo:
    """Zenodo, or its sandbox, for somebody with a token of the scope `deposit:write`."""

    def __init__(self, token: str, *, sandbox: bool) -> None:
        self.base = settings.ZENODO_SANDBOX_URL if sandbox else settings.ZENODO_URL
        self.client = httpx2.Client(
            headers={"Authorization": f"Bearer {token}"}, timeout=SECONDS, follow_redirects=False, trust_env=False
        )

    def create(self, metadata: dict[str, Any]) -> dict[str, Any]:
        """A draft with a reserved DOI; as Zenodo answers."""
        return self._asked("POST", f"{self.base}/api/deposit/depositions", json={"metadata": metadata})

    def upload(self, bucket: str, file: Path) -> str:
        """Put a file into the draft's bucket; its checksum there, `md5:...`."""
        with file.open("rb") as stream:
            told = self._asked("PUT", f"{self._own(bucket)}/{quote(file.name)}", content=stream)
        return str(told.get("checksum", ""))

    def remove(self, deposition: int) -> None:
        """Take a draft away that did not get all its files."""
        with _translated():
            self.client.delete(f"{self.base}/api/deposit/depositions/{deposition}")

    def _own(self, address: str) -> str:
        """An address that Zenodo gave: the token goes to Zenodo alone."""
        if not address.startswith(f"{self.base}/"):
            raise ServiceError("Zenodo gave an address that is not its own.", permanent=True)
        return address

    def _asked(self, method: str, url: str, **given: Any) -> dict[str, Any]:
        with _translated():
            answer = self.client.request(method, url, **given)
            if answer.status_code >= 400:
                raise _refused(answer)
            told = answer.json()
        if not isinstance(told, dict):
            raise ServiceError("Zenodo gave half an answer.", permanent=False)
        return told


@contextmanager
def _translated() -> Iterator[None]:
    try:
        yield
    except httpx2.HTTPError:
        raise ServiceError("Zenodo cannot be reached, or broke off.", permanent=False) from None
    except ValueError:
        raise ServiceError("Zenodo gave half an answer.", permanent=False) from None


def _refused(answer: httpx2.Response) -> ServiceError:
    status = answer.status_code
    if status in (401, 403):
        return ServiceError("Zenodo does not take this access token; it needs the scope deposit:write.",
                            permanent=True, status=status, where="access_token")  # fmt: skip
    if status == 429 or status >= 500:
        return ServiceError("Zenodo answered {code}; try again later.", permanent=False, status=status, code=status)
    try:
        errors = answer.json().get("errors") or []
        why = first_five(f"{one.get('field', '')}: {one.get('message', '')}" for one in errors)
    except (ValueError, AttributeError):
        why = ""
    return ServiceError("Zenodo refused the draft ({code}). {why}", permanent=True, status=status, code=status, why=why)
