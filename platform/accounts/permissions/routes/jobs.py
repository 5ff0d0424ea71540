"""The permission rows of the routes of jobs."""

from accounts.permissions import Can
from accounts.permissions.routes.requirement import Requirement

ROUTES: dict[str, Requirement] = {
    "all_jobs": Can.SEE_HEALTH,
    "study_jobs": Can.VIEW_STUDY,
    "job": Can.VIEW_STUDY,
    "job_cancel": Can.RUN_MODELS,
    "job_retry": Can.RUN_MODELS,
    "api:job-list": Can.VIEW_STUDY,
    "api:job-detail": Can.VIEW_STUDY,
    "api:job-cancel": Can.RUN_MODELS,
    "api:job-retry": Can.RUN_MODELS,
}
