"""The fields of people, invitations, tokens and credentials, each declared once: form, API and action use them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.utils.text import slugify
from django.utils.translation import gettext_lazy as _

from accounts.models import ApiToken
from accounts.permissions import ROLE_CHOICES
from foundation.errors import UserError
from foundation.options import each_once, option


def email_option() -> Any:
    """The e-mail address of somebody who is invited."""
    return option("", "", label="E-mail address", characters=254, required=True, clean=_address)


def _address(text: str) -> str:
    address = text.strip().lower()
    try:
        validate_email(address)
    except ValidationError:
        raise UserError("This is not an e-mail address.", where="email") from None
    return address


def _chosen(scopes: list[str]) -> list[str]:
    if not scopes:
        raise UserError("Choose at least one thing that the token may do.", where="scopes")
    return sorted(set(scopes))


def _short(name: str) -> str:
    if short := slugify(name)[:60]:
        return short
    raise UserError("A credential needs a short name, such as md or mimic-iii.", where="name")


@dataclass(frozen=True)
class InvitationFields:
    """The fields that `invite_person` takes; `change_role` takes the role."""

    email: str = email_option()
    role: str = option("", "", label="Role", choices=ROLE_CHOICES, required=True)


@dataclass(frozen=True)
class ProfileFields:
    """A person's own particulars: `rename_person`, `edit_profile` and `choose_language` take these."""

    name: str = option(
        "", "Shown to the people you work with. Exported data carry a pseudonym instead.", label="Name",
        characters=200, required=True, clean=str.strip,
    )  # fmt: skip
    languages: tuple[str, ...] = option(
        (), "Languages that you read and write well, as tags with commas between them: en, pt-BR", label="Languages",
        characters=20, high=50, clean=each_once,
    )  # fmt: skip
    topics: tuple[str, ...] = option(
        (), "Topics that you know well, with commas between them: cardiology, diabetes", label="Topics", characters=100,
        high=50, clean=each_once,
    )  # fmt: skip
    interface_language: str = option(
        "", "The language of the pages and of mail. It does not change the texts of a study.", label="Language",
        choices=lambda: [("", _("As the browser asks")), *settings.LANGUAGES],
    )  # fmt: skip


@dataclass(frozen=True)
class TokenFields:
    """The fields that `make_token` takes."""

    name: str = option("", "", label="Purpose of the token", characters=100, required=True, clean=str.strip)
    scopes: tuple[str, ...] = option((), "", label="Rights", choices=ApiToken.Scope.choices, clean=_chosen)
    days: int = option(30, "", label="Valid for", low=1, high=365)


@dataclass(frozen=True)
class CredentialFields:
    """The fields that `set_credential` takes beside the last day."""

    name: str = option(
        "", "A short name, such as md or mimic-iii.", label="Credential", characters=60, required=True, clean=_short
    )
    evidence: str = option("", "", label="How it was verified", characters=2000, clean=str.strip)


COLUMNS = 200  # of a table that somebody may have chosen something for
LONGEST_COLUMN = 200  # characters of its name
NARROWEST, WIDEST = 48, 640  # pixels of a column


def _widths(given: object) -> dict[str, int]:
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise UserError("Expected a table.", where="widths")
    if len(given) > COLUMNS:
        raise UserError("At most {most} are allowed.", most=COLUMNS, where="widths")
    for column, width in given.items():
        if len(str(column)) > LONGEST_COLUMN:
            raise UserError("Expected a text of at most {longest} characters.", longest=LONGEST_COLUMN, where="widths")
        if isinstance(width, bool) or not isinstance(width, int) or not NARROWEST <= width <= WIDEST:
            raise UserError("Expected a number {range}.", range=f"from {NARROWEST} to {WIDEST}", where="widths")
    return {str(column): width for column, width in given.items()}


@dataclass(frozen=True)
class TableViewFields:
    """The fields that `keep_table_view` takes beside the name of the table. Columns go by their keys."""

    sort: str = option(
        "", "The column that the rows are sorted by; with a minus before it, from the highest.", characters=201
    )
    hidden: tuple[str, ...] = option(
        (), "The columns that are not shown.", characters=LONGEST_COLUMN, high=COLUMNS, clean=each_once
    )
    pinned: tuple[str, ...] = option(
        (), "The columns that stay beside the first one.", characters=LONGEST_COLUMN, high=COLUMNS, clean=each_once
    )
    widths: object = option(None, "The widths of columns, in pixels.", table=_widths)
    rows: str = option(
        "",
        "How close the rows stand: close or apart; where it is empty, as the screen is.",
        choices=("", "close", "apart"),
    )
