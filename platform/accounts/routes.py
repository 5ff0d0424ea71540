"""The permission row of every route: what a request to it needs. A route without a row answers nobody.

The gate (`config/gate.py`) holds every page and every endpoint to its row. The name of a route is the one in the
rooms' `urls.py` and `api_urls.py`; allauth's pages come with a prefix.
"""

from typing import NamedTuple

from accounts.permissions import Can, Open


class ByMethod(NamedTuple):
    """A row for an endpoint that is read (GET, HEAD, OPTIONS) and changed (every other method) by different people."""

    read: Can | Open
    change: Can


STUDY_PART = ByMethod(Can.VIEW_STUDY, Can.EDIT_STUDY)

ROUTES: dict[str, Can | Open | ByMethod] = {
    "home": Open.SIGNED_IN,
    "api_page": Open.SIGNED_IN,
    "api_schema": Open.SIGNED_IN,
    "look": Open.ANYONE,
    # sign-in (allauth)
    "account_login": Open.ANYONE,
    "account_logout": Open.ANYONE,
    "account_inactive": Open.ANYONE,
    "account_reset_password": Open.ANYONE,
    "account_reset_password_done": Open.ANYONE,
    "account_reset_password_from_key": Open.ANYONE,
    "account_reset_password_from_key_done": Open.ANYONE,
    "account_reauthenticate": Open.SIGNED_IN,
    "account_change_password": Open.SIGNED_IN,
    "account_set_password": Open.SIGNED_IN,
    "mfa_authenticate": Open.ANYONE,  # the second step of signing in
    "mfa_reauthenticate": Open.SIGNED_IN,
    "mfa_index": Open.SIGNED_IN,
    "mfa_activate_totp": Open.SIGNED_IN,
    "mfa_deactivate_totp": Open.SIGNED_IN,
    "mfa_view_recovery_codes": Open.SIGNED_IN,
    "mfa_generate_recovery_codes": Open.SIGNED_IN,
    "mfa_download_recovery_codes": Open.SIGNED_IN,
    "openid_connect_login": Open.ANYONE,
    "openid_connect_callback": Open.ANYONE,
    "socialaccount_login_cancelled": Open.ANYONE,
    "socialaccount_login_error": Open.ANYONE,
    # people, links and tokens
    "join": Open.ANYONE,
    "reset": Open.ANYONE,
    "account_settings": Open.SIGNED_IN,
    "tokens": Can.USE_TOKENS,
    "token_revoke": Can.USE_TOKENS,
    "people": Can.MANAGE_PEOPLE,
    "people_invite": Can.MANAGE_PEOPLE,
    "people_withdraw": Can.MANAGE_PEOPLE,
    "person": Can.MANAGE_PEOPLE,
    "person_role": Can.MANAGE_PEOPLE,
    "person_deactivate": Can.MANAGE_PEOPLE,
    "person_reactivate": Can.MANAGE_PEOPLE,
    "person_second_step": Can.MANAGE_PEOPLE,
    "person_reset_link": Can.MANAGE_PEOPLE,
    "api:me": Open.SIGNED_IN,
    "api:me-accept": Open.SIGNED_IN,
    "api:token-list": Can.USE_TOKENS,
    "api:token-detail": Can.USE_TOKENS,
    "api:person-list": Can.MANAGE_PEOPLE,
    "api:person-detail": Can.MANAGE_PEOPLE,
    "api:person-role": Can.MANAGE_PEOPLE,
    "api:person-deactivate": Can.MANAGE_PEOPLE,
    "api:person-reactivate": Can.MANAGE_PEOPLE,
    "api:person-second-step": Can.MANAGE_PEOPLE,
    "api:person-reset-link": Can.MANAGE_PEOPLE,
    "api:invitation-list": Can.MANAGE_PEOPLE,
    "api:invitation-detail": Can.MANAGE_PEOPLE,
    # members of a study
    "study_members": Can.MANAGE_MEMBERS,
    "study_member_role": Can.MANAGE_MEMBERS,
    "study_member_remove": Can.MANAGE_MEMBERS,
    "study_invitation_withdraw": Can.MANAGE_MEMBERS,
    "api:member-list": Can.MANAGE_MEMBERS,
    "api:member-detail": Can.MANAGE_MEMBERS,
    "api:study-invitation-list": Can.MANAGE_MEMBERS,
    "api:study-invitation-detail": Can.MANAGE_MEMBERS,
    # campaigns
    "my_work": Open.SIGNED_IN,
    "study_campaigns": Can.ENTER_STUDY,
    "campaign_new": Can.EDIT_STUDY,
    "campaign": Can.VIEW_STUDY,
    "campaign_state": Can.EDIT_STUDY,
    "campaign_guideline": Can.EDIT_STUDY,
    "campaign_adopt": Can.EDIT_STUDY,
    "campaign_preview": Can.VIEW_STUDY,
    "campaign_preview_act": Can.VIEW_STUDY,
    "campaign_review": Can.REVIEW,
    "campaign_decide": Can.REVIEW,
    "campaign_work": Can.ANNOTATE,
    "campaign_submit": Can.ANNOTATE,
    "campaign_skip": Can.ANNOTATE,
    "campaign_report": Can.ANNOTATE,
    "campaign_draft": Can.ANNOTATE,
    "campaign_answers": Can.ANNOTATE,
    "campaign_revise": Can.ANNOTATE,
    "api:campaign-list": STUDY_PART,
    "api:campaign-detail": STUDY_PART,
    "api:campaign-state": Can.EDIT_STUDY,
    "api:campaign-guideline": ByMethod(read=Can.ENTER_STUDY, change=Can.EDIT_STUDY),
    "api:campaign-adopt": Can.EDIT_STUDY,
    "api:campaign-next": Can.ANNOTATE,
    "api:campaign-answers": Can.ANNOTATE,
    "api:campaign-answer": Can.ANNOTATE,
    "api:campaign-draft": Can.ANNOTATE,
    "api:campaign-skip": Can.ANNOTATE,
    "api:campaign-report": Can.ANNOTATE,
    "api:campaign-reviews": Can.REVIEW,
    # studies, texts and systems
    "study_new": Can.CREATE_STUDY,
    "study_apply": Can.CREATE_STUDY,
    "study": Can.ENTER_STUDY,
    "study_edit": Can.EDIT_STUDY,
    "study_texts": Can.VIEW_STUDY,
    "direction_new": Can.EDIT_STUDY,
    "sources_new": Can.EDIT_STUDY,
    "references_new": Can.EDIT_STUDY,
    "references_remove": Can.EDIT_STUDY,
    "study_systems": Can.VIEW_STUDY,
    "system_new": Can.EDIT_STUDY,
    "system": Can.VIEW_STUDY,
    "system_remove": Can.EDIT_STUDY,
    "api:study-list": ByMethod(Open.SIGNED_IN, Can.CREATE_STUDY),
    "api:study-apply": Can.CREATE_STUDY,
    "api:study-detail": ByMethod(Can.ENTER_STUDY, Can.EDIT_STUDY),
    "api:direction-list": STUDY_PART,
    "api:sentence-list": STUDY_PART,
    "api:reference-list": STUDY_PART,
    "api:reference-detail": Can.EDIT_STUDY,
    "api:system-list": STUDY_PART,
    "api:system-detail": STUDY_PART,
    "api:output-list": STUDY_PART,
    "api:criterion-list": STUDY_PART,
    # gold
    "study_gold": Can.EXPORT,
    "gold_file": Can.EXPORT,
    "api:gold": Can.EXPORT,
    # evaluation
    "study_report": Can.VIEW_REPORT,
    "report_file": Can.VIEW_REPORT,
    "metrics_choose": Can.RUN_METRICS,
    "metrics_run": Can.RUN_METRICS,
    "study_ratings": Can.EDIT_STUDY,
    "ratings_remove": Can.EDIT_STUDY,
    "api:metric-choices": Can.VIEW_REPORT,  # to change them asks for more, in the endpoint
    "api:metric-run-list": Can.VIEW_REPORT,  # to start one likewise
    "api:report": Can.VIEW_REPORT,
    "api:ratings-list": Can.EDIT_STUDY,
    "api:ratings-detail": Can.EDIT_STUDY,
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

# Routes that allauth brings and nobody reaches: there is no sign-up, and an e-mail address stays as invited.
CLOSED = frozenset(
    {
        "account_signup",
        "account_email",
        "account_email_verification_sent",
        "account_confirm_email",
        "account_confirm_login_code",
        "socialaccount_signup",
        "socialaccount_connections",
        "django.views.generic.base.RedirectView",  # allauth's old addresses, which have no name
    }
)
