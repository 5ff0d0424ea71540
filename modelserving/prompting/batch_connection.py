"""A connection to an endpoint for batches, by OpenAI's client; it takes a third of a second to import."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from typing import Any

import httpx2
import openai

from modelserving.prompting.bounded_client import MOST_OF_A_FILE, BoundedClient
from modelserving.prompting.calls import Failure, of_status
from modelserving.prompting.connection import (
    LONGEST_NAME,
    MOST_BYTES,
    Encoded,
    TooMuch,
    answer_in,
    of_answer,
)
from modelserving.run_context import Answer


class BatchConnection(BoundedClient):
    """Uploads files, begins batches, looks at them, and reads their answers."""

    def upload(self, lines: bytes) -> str:
        """The id of a new file of requests for a batch."""
        with self._failing():
            return _id(self.endpoint.name, self._client.files.create(file=("calls.jsonl", lines), purpose="batch"))

    def start(self, file: str) -> str:
        """The id of a new batch of a file of requests."""
        with self._failing():
            made = self._client.batches.create(
                input_file_id=file, endpoint="/v1/chat/completions", completion_window="24h"
            )
            return _id(self.endpoint.name, made)

    def find(self, file: str) -> str:
        """The id of the batch of a file; "" where there is none among the last hundred."""
        with self._failing():
            listed = self._client.batches.list(limit=100).data
            return next((one.id for one in listed if one.input_file_id == file), "")

    def look(self, batch: str) -> Mapping[str, Any]:
        """The batch as it is now."""
        with self._failing():
            return self._client.batches.retrieve(batch).model_dump()

    def read(self, file: str) -> Iterator[bytes]:
        """The lines of a file."""
        with self._failing():
            self.transport.most = MOST_OF_A_FILE
            try:
                yield from self._client.files.content(file).content.splitlines()
            finally:
                self.transport.most = MOST_BYTES

    def answer(self, body: bytes) -> Answer:
        """The answer in the body of a chat completion."""
        return answer_in(self.endpoint.name, body)

    @contextmanager
    def _failing(self) -> Iterator[None]:
        """Each error of the client within is a Failure."""
        name = self.endpoint.name
        try:
            yield
        except openai.APIStatusError as error:
            got = error.response
            raise of_status(name, self.endpoint.key, got.status_code, got.headers, _read(got)) from None
        except openai.APITimeoutError:
            raise Failure(f"The endpoint {name} does not answer in time.", True) from None
        except openai.APIConnectionError as error:
            raise _of_connection(name, error.__cause__) from None
        except (TooMuch, Encoded) as error:
            raise of_answer(name, error) from None
        except httpx2.TimeoutException:
            raise Failure(f"The endpoint {name} does not answer in time.", True) from None
        except httpx2.HTTPError:
            raise Failure(f"The endpoint {name} broke off its answer.", True) from None
        except (openai.OpenAIError, AttributeError, TypeError, ValueError):
            raise Failure(f"The endpoint {name} answers with something that is no batch.") from None

    @cached_property
    def _client(self) -> openai.OpenAI:
        """OpenAI's client, for files and batches."""
        return openai.OpenAI(
            api_key="none", base_url=self.endpoint.url, http_client=self.http, max_retries=0,
            timeout=self.http.timeout, organization="", project="",
        )  # fmt: skip


def _id(name: str, made: Any) -> str:
    found = getattr(made, "id", None)
    if not isinstance(found, str) or not 0 < len(found) <= LONGEST_NAME:
        raise Failure(f"The endpoint {name} answers with something that is no batch.")
    return found


def _read(response: httpx2.Response) -> bytes:
    try:
        return response.content
    except httpx2.ResponseNotRead:
        return b""


def _of_connection(name: str, cause: BaseException | None) -> Failure:
    """The failure of a call whose connection broke, or never was."""
    if isinstance(cause, TooMuch | Encoded):
        return of_answer(name, cause)
    if isinstance(cause, httpx2.ConnectError | httpx2.UnsupportedProtocol | OSError):
        return Failure(f"The endpoint {name} cannot be reached.", True, free=True)
    return Failure(f"The endpoint {name} broke off its answer.", True)
