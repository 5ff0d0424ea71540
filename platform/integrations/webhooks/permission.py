"""The people who may manage webhooks: researchers those of their study, admins those of the site."""

from typing import Any

from accounts.permissions import Can, require
from corpora.models import Study


def require_webhooks(by: Any, study: Study | None) -> None:
    """Raise PermissionDenied where the person may not; a command of the operator names nobody."""
    if by is not None:
        require(by, Can.EDIT_STUDY if study is not None else Can.SEE_HEALTH, study)
