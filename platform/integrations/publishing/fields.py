"""The fields of what is pushed and pulled, each declared once."""

import re
from dataclasses import dataclass

from foundation.errors import UserError
from foundation.options import option
from integrations.publishing.models import Publication

REPOSITORY = re.compile(r"^[A-Za-z0-9](?:[\w.-]{0,94}[A-Za-z0-9])?/[A-Za-z0-9](?:[\w.-]{0,94}[A-Za-z0-9])?$")
FORM = re.compile(r"^[!-~]{8,300}$")


@dataclass(frozen=True)
class PublicationFields:
    """The fields of `start_publication`."""

    service: str = option("hugging_face", "Zenodo takes releases alone; its sandbox is for trying.", label="Service",
                          choices=tuple(Publication.Service.choices))  # fmt: skip
    content: str = option("release", "All but releases goes to the Hugging Face Hub alone.", label="Content",
                          choices=tuple(Publication.Content.choices))  # fmt: skip
    release: int = option(0, "The number of the release; 0 is the newest.", label="Release", low=0, high=32_000)
    checkpoint: int = option(0, "The number of the trained model's checkpoint; 0 is the newest.",
                             label="Trained model", low=0, high=2**62)  # fmt: skip
    target: str = option("", "On the Hugging Face Hub: owner and name, such as lab/tone.", label="Repository",
                         characters=200, clean=str.strip)  # fmt: skip
    private: bool = option(True, "On the Hugging Face Hub: only its owners see it.", label="Private")
    access_token: str = option(
        "", "It is kept encrypted until the job is done, and then forgotten.", label="Access token", characters=300,
        required=True, clean=str.strip,
    )  # fmt: skip


@dataclass(frozen=True)
class PullFields:
    """The fields of `start_pull`."""

    target: str = option("", "Owner and name, such as lab/tone.", label="Repository", characters=200, required=True,
                         clean=str.strip)  # fmt: skip
    access_token: str = option(
        "", "Private and gated repositories need it. It is kept encrypted until the job is done, and then forgotten.",
        label="Access token", characters=300, clean=str.strip,
    )  # fmt: skip
    model: bool = option(False, "One that Restyle pushed; otherwise it is a data set.", label="A trained model")


def check_target(target: str) -> str:
    """The name of a repository of the Hub; a UserError where it is none."""
    if not REPOSITORY.match(target) or ".." in target or "--" in target:
        raise UserError("Give owner and name of the repository, such as lab/tone.", where="target")
    return target


def check_token(token: str) -> str:
    if not FORM.match(token):
        raise UserError("This is not an access token.", where="access_token")
    return token
