"""Requests to Mechanical Turk through boto3, which is loaded by the first one: in a worker, not in a web process."""

from collections.abc import Iterator
from typing import Any

from django.conf import settings

from foundation.translation import translatable
from integrations.failures import ServiceError

SANDBOX = "https://mturk-requester-sandbox.us-east-1.amazonaws.com"
FOR_PAY = "https://mturk-requester.us-east-1.amazonaws.com"
SECONDS = 20
REFUSED = frozenset({
    "AccessDeniedException", "UnrecognizedClientException", "InvalidSignatureException", "InvalidClientTokenId",
    "SignatureDoesNotMatch", "MissingAuthenticationToken",
})  # fmt: skip
BUSY = frozenset({"ThrottlingException", "Throttling", "TooManyRequestsException", "ServiceFault", "RequestTimeout"})
TOLD = 300  # characters of the site's own words


class TurkError(ServiceError):
    """A refusal with the site's own code, as 'RequestError'."""

    code = ""


class TurkClient:
    """The requests of one account; `token` is its access key, a colon, and its secret key."""

    def __init__(self, token: str, *, sandbox: bool) -> None:
        import boto3
        from botocore.config import Config

        key, _, secret = token.partition(":")
        limits = Config(
            connect_timeout=SECONDS, read_timeout=SECONDS, retries={"total_max_attempts": 1}, proxies={},
        )  # fmt: skip
        self._client = boto3.client(
            "mturk", region_name="us-east-1", aws_access_key_id=key, aws_secret_access_key=secret, config=limits,
            endpoint_url=settings.MTURK_URL or (SANDBOX if sandbox else FOR_PAY),
        )  # fmt: skip

    def ask(self, operation: str, **given: Any) -> dict[str, Any]:
        """The answer to an operation, by its name in boto3; a ServiceError where there is none."""
        from botocore.exceptions import BotoCoreError, ClientError
        from botocore.parsers import ResponseParserError

        try:
            answer: dict[str, Any] = getattr(self._client, operation)(**given)
        except ClientError as error:
            raise _failure(error.response) from None
        except (BotoCoreError, ResponseParserError):
            raise ServiceError("Mechanical Turk cannot be reached, or broke off.", permanent=False) from None
        return answer

    def pages(self, operation: str, name: str, **given: Any) -> Iterator[dict[str, Any]]:
        """All rows of a list, page by page."""
        mark: dict[str, str] = {}
        while True:
            answer = self.ask(operation, MaxResults=100, **given, **mark)
            yield from answer.get(name) or ()
            if not answer.get("NextToken"):
                return
            mark = {"NextToken": answer["NextToken"]}


def _failure(answer: dict[str, Any]) -> ServiceError:
    told = answer.get("Error") or {}
    status = (answer.get("ResponseMetadata") or {}).get("HTTPStatusCode")
    code = str(told.get("Code", ""))
    if code in REFUSED or status in (401, 403):
        return ServiceError("Mechanical Turk does not accept the keys.", permanent=True, status=status)
    if code in BUSY or not isinstance(status, int) or status >= 500 or status == 429:
        return ServiceError("Mechanical Turk is busy.", permanent=False, status=status)
    words = str(told.get("Message", code))[:TOLD].rstrip(".") + "."
    sentence = translatable("Mechanical Turk says: {words}")
    failure = TurkError(sentence, permanent=True, status=status, words=words)
    failure.code = code
    return failure
