"""A crowd site as this room sees it. The sites' folders extend `CrowdService` and put themselves into `SERVICES`."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from foundation.errors import UserError
from integrations.recruiting.models import Account, Recruitment, Submission


class Seen(NamedTuple):
    """A submission as the site lists it."""

    external_id: str
    person: str
    state: str


class Bonus(NamedTuple):
    """A bonus in minor units for somebody's submission; `key` is the same however often it is asked for."""

    submission: Submission
    amount: int
    key: str


class CrowdService(ABC):
    """Each method raises ServiceError. All but `message` and `pay_bonuses` may be asked twice without harm."""

    name: str
    label: str
    pays_screened_out = False
    shortest_reason = 1  # characters of a rejection
    categories: Sequence[str] = ()  # of a rejection
    currency = ""  # the only one, where there is one
    notifies = False  # whether its hooks come here

    @abstractmethod
    def check_token(self, token: str) -> str:
        """The token as it is sealed; a UserError where it cannot be one."""

    @abstractmethod
    def connect(self, account: Account) -> Mapping[str, Any]:
        """Look whether the account's token is good, and have the site's hooks come here; what it tells of itself."""

    @abstractmethod
    def draft(self, recruitment: Recruitment, address: str) -> str:
        """Put a draft up that sends people to `address`; its name there."""

    @abstractmethod
    def publish(self, recruitment: Recruitment) -> str:
        """Let people in; the status."""

    @abstractmethod
    def stop(self, recruitment: Recruitment) -> str:
        """Let nobody in any more; the status."""

    @abstractmethod
    def status(self, recruitment: Recruitment) -> str:
        """The status as the site calls it."""

    @abstractmethod
    def submissions(self, recruitment: Recruitment) -> Iterator[Seen]:
        """All submissions."""

    @abstractmethod
    def approve(self, recruitment: Recruitment, submissions: Sequence[Submission]) -> None:
        """Approve them: the site pays the reward."""

    @abstractmethod
    def reject(self, recruitment: Recruitment, submission: Submission, reason: str, category: str) -> None:
        """Reject it, for a reason that the person reads."""

    def screen_out(self, recruitment: Recruitment, submission: Submission) -> None:
        """Pay what somebody who was screened out gets."""
        raise UserError("This site pays nobody for being screened out; pay a bonus.")

    def prepare_bonuses(self, recruitment: Recruitment, bonuses: Sequence[Bonus]) -> str:
        """Announce bonuses where the site wants that; their name there. Nothing is paid."""
        return ""

    @abstractmethod
    def pay_bonuses(self, recruitment: Recruitment, bonuses: Sequence[Bonus], prepared: str) -> None:
        """Pay them."""

    @abstractmethod
    def message(self, recruitment: Recruitment, people: Sequence[str], text: str) -> None:
        """Write to these people."""


SERVICES: dict[str, CrowdService] = {}
