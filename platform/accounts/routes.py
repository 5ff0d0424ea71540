"""The permission row of every route: what a request to it needs. A route without a row answers nobody.

The gate (`config/gate.py`) holds every page and every endpoint to its row. The name of a route is the one in the
rooms' `urls.py` and `api_urls.py`; allauth's pages come with a prefix.
"""

from accounts.permissions import Can, Open

ROUTES: dict[str, Can | Open] = {
    "home": Open.SIGNED_IN,
    "api_page": Open.SIGNED_IN,
    "api_schema": Open.SIGNED_IN,
    "look": Open.ANYONE,
    # sign-in (allauth)
    "account_login": Open.ANYONE,
    "account_logout": Open.ANYONE,
    # jobs
    "study_jobs": Can.VIEW_STUDY,
    "job": Can.VIEW_STUDY,
    "job_cancel": Can.RUN_MODELS,
    "job_retry": Can.RUN_MODELS,
    "api:job-list": Can.VIEW_STUDY,
    "api:job-detail": Can.VIEW_STUDY,
    "api:job-cancel": Can.RUN_MODELS,
    "api:job-retry": Can.RUN_MODELS,
    # modelserving
    "transfer_new": Can.RUN_MODELS,
    "api:transfer-list": Can.RUN_MODELS,
}
