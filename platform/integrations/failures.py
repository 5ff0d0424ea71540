"""Failures of services outside, which say whether another try can help."""

from foundation.errors import UserError


class ServiceError(UserError):
    """A service did not do what it was asked. A `permanent` failure comes again, however often it is asked.

    `status` is that of its answer, None where there was none; `after` are the seconds that it asks to wait.
    """

    def __init__(
        self, sentence: str, *, permanent: bool, status: int | None = None, after: float | None = None, where: str = "",
        **values: object,
    ) -> None:  # fmt: skip
        super().__init__(sentence, where=where, **values)
        self.permanent, self.status, self.after = permanent, status, after
