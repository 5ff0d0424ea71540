"""The permission rows of the routes of the whole site: home, the API's page and schema, health."""

from accounts.permissions import Can, Open
from accounts.permissions.routes.requirement import Requirement

ROUTES: dict[str, Requirement] = {
    "home": Open.SIGNED_IN,
    "api_page": Open.SIGNED_IN,
    "api_schema": Open.SIGNED_IN,
    "look": Open.ANYONE,
    "notifications": Open.SIGNED_IN,
    "api:me-notifications": Open.SIGNED_IN,
    "health": Can.SEE_HEALTH,
    "api:health": Can.SEE_HEALTH,
    "health_live": Open.ANYONE,
    "health_ready": Open.ANYONE,
    "health_status": Open.ANYONE,
    "metrics": Open.ANYONE,  # it asks for a token or an address of its own
}
