from accounts.models.access_link import AccessLink
from accounts.models.api_token import ApiToken
from accounts.models.person import Person

__all__ = ["AccessLink", "ApiToken", "Person"]
