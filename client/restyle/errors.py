"""Errors, each with one sentence to show. Where the site wrote one, it is the site's own."""

from collections.abc import Mapping, Sequence
from typing import Any


class RestyleError(Exception):
    """The sentence says what went wrong. `exit_code` is the command line's."""

    exit_code = 1


class NotSetUp(RestyleError):
    """No site or no token is known, or the file that holds them cannot be read."""

    exit_code = 3


class NoAnswer(RestyleError):
    """The site could not be reached, or the connection was lost before the answer was whole."""

    exit_code = 4


class NotRestyle(RestyleError):
    """Something answered that is not a Restyle site: a proxy, a sign-in page of a network, another program."""

    exit_code = 4


class Refused(RestyleError):
    """The site refused the request. `fields` holds its sentences about single fields, where some are wrong."""

    exit_code = 2

    def __init__(self, sentence: str, status: int = 400, fields: Mapping[str, Any] | None = None) -> None:
        super().__init__(sentence)
        self.status = status
        self.fields = dict(fields or {})


class WrongToken(Refused):
    """The site does not know the token, or it has expired (401)."""

    exit_code = 3


class NotAllowed(Refused):
    """The token's person may not do this, or the token lacks the scope (403)."""

    exit_code = 3


class NotFound(Refused):
    """There is no such thing, or the token's person may not see it (404)."""


class Conflict(Refused):
    """Something newer stands in the way, or the same act is still being done (409)."""


class SiteFailed(RestyleError):
    """The site broke (5xx), also when it was asked again."""

    exit_code = 4

    def __init__(self, sentence: str, status: int = 500) -> None:
        super().__init__(sentence)
        self.status = status


class JobFailed(RestyleError):
    """A job failed or was cancelled; `job` is its last state."""

    exit_code = 5

    def __init__(self, sentence: str, job: Mapping[str, Any]) -> None:
        super().__init__(sentence)
        self.job = dict(job)


class OpenQuestions(RestyleError):
    """An import has questions that only a person can answer: give `answers={name: choice}`. Nothing came in."""

    exit_code = 6

    def __init__(self, questions: Sequence[Mapping[str, Any]]) -> None:
        self.questions = [dict(one) for one in questions]
        super().__init__(" ".join(_asked(one) for one in self.questions))


def _asked(question: Mapping[str, Any]) -> str:
    choices = " or ".join(f"'{value}' ({label})" for value, label in question["choices"].items())
    return f"{question['sentence']} Answer '{question['name']}' with {choices}."


BY_STATUS: Mapping[int, type[Refused]] = {401: WrongToken, 403: NotAllowed, 404: NotFound, 409: Conflict}
