"""The permission rows of the routes of the report, metrics, judgements and human studies."""

from accounts.permissions import Can, Open
from accounts.permissions.routes.requirement import STUDY_PART, ByMethod, Requirement

ROUTES: dict[str, Requirement] = {
    "study_report": Can.VIEW_REPORT,
    "report_file": Can.VIEW_REPORT,
    "study_trust": Can.VIEW_REPORT,
    "report_choose": Can.RUN_METRICS,
    "study_tables": Can.VIEW_REPORT,
    "study_table": Can.VIEW_REPORT,
    "table_file": Can.VIEW_REPORT,
    "study_rows": Can.VIEW_REPORT,
    "study_compare": Can.VIEW_REPORT,
    "study_raters": Can.VIEW_REPORT,
    "study_rater_pair": Can.VIEW_REPORT,
    "api:rater-pair": Can.VIEW_REPORT,
    "metrics_choose": Can.RUN_METRICS,
    "metrics_run": Can.RUN_METRICS,
    "study_ratings": Can.EDIT_STUDY,
    "ratings_remove": Can.EDIT_STUDY,
    "api:metric-choices": Can.VIEW_REPORT,  # to change them asks for more, in the endpoint
    "api:metric-run-list": Can.VIEW_REPORT,  # to start one likewise
    "api:report": Can.VIEW_REPORT,
    "api:table-list": Can.VIEW_REPORT,
    "api:table-detail": Can.VIEW_REPORT,
    "api:rows": Can.VIEW_REPORT,
    "api:comparison": Can.VIEW_REPORT,
    "api:report-choice": ByMethod(read=Can.VIEW_REPORT, change=Can.RUN_METRICS),
    "api:ratings-list": Can.EDIT_STUDY,
    "api:ratings-detail": Can.EDIT_STUDY,
    "study_public_links": Can.EDIT_STUDY,
    "public_link_revoke": Can.EDIT_STUDY,
    "public_page": Open.ANYONE,  # who has the secret of its address
    "api:public-link-list": Can.EDIT_STUDY,
    "api:public-link-detail": Can.EDIT_STUDY,
    "study_human": Can.VIEW_STUDY,
    "human_new": Can.EDIT_STUDY,
    "human_preview": Can.EDIT_STUDY,
    "human_study": Can.VIEW_STUDY,
    "human_edit": Can.EDIT_STUDY,
    "human_open": Can.EDIT_STUDY,
    "human_close": Can.EDIT_STUDY,
    "human_amend": Can.EDIT_STUDY,
    "human_rater": Can.EDIT_STUDY,
    "human_delete": Can.EDIT_STUDY,
    "api:human-list": STUDY_PART,
    "api:human-detail": STUDY_PART,
    "api:human-open": Can.EDIT_STUDY,
    "api:human-close": Can.EDIT_STUDY,
    "api:human-amend": Can.EDIT_STUDY,
    "api:human-rater": Can.EDIT_STUDY,
}
