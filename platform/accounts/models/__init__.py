"""The tables of this room."""

from accounts.models.access_link import AccessLink
from accounts.models.api_token import ApiToken
from accounts.models.audit_log import TrailEntry
from accounts.models.credential import Credential
from accounts.models.person import Person
from accounts.models.site_key import SiteKey

__all__ = ["AccessLink", "ApiToken", "Credential", "Person", "SiteKey", "TrailEntry"]
