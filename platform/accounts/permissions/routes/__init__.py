"""The permission row of every route: what a request to it needs. A route without a row answers nobody.

The middleware `config/middleware/authorization.py` holds every page and every endpoint to its row. The name of a route
is the one in the rooms' `urls.py` and `api_urls.py`; allauth's pages come with a prefix.
"""

from accounts.permissions.routes import accounts, annotation, evaluation, jobs, modelserving, site, studies, texts
from accounts.permissions.routes.requirement import Requirement

ROUTES: dict[str, Requirement] = {}
for room in (site, accounts, studies, texts, annotation, evaluation, jobs, modelserving):
    ROUTES.update(room.ROUTES)
