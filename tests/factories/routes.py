"""Who may use which route: a row for every address of the site, written down apart from the code that decides it.

A row says the people for reading (GET, HEAD) and for each writing method that the route has. Everybody else is refused,
and every other method is no method of the route.
"""

from dataclasses import dataclass, field

ROLES = ("admin", "researcher", "reviewer", "expert_annotator", "crowd_annotator")
NOBODY: tuple[str, ...] = ()
ADMINS = ("admin",)
LEADS = ("admin", "researcher")
STAFF = ("admin", "researcher", "reviewer")
EVERYONE = ROLES
ANYONE = ("anonymous", *ROLES)


@dataclass(frozen=True)
class Row:
    """`allowed` by method. `study`: the role in the study counts, not the one on the site. `objects` names what stands
    in the address where that is not plain from its name. `also` are answers that an allowed person may get besides 2xx
    to 4xx other than 401, 403 and 404."""

    allowed: dict[str, tuple[str, ...]]
    study: bool = False
    objects: dict[str, str] = field(default_factory=dict)
    also: tuple[int, ...] = ()


def site(read: tuple[str, ...] | None, objects: dict[str, str] | None = None, also: int = 0, **write: tuple) -> Row:
    reads = {} if read is None else {"GET": read, "HEAD": read}
    return Row({**reads, **write}, objects=objects or {}, also=(also,) if also else ())


def study(read: tuple[str, ...] | None, objects: dict[str, str] | None = None, also: int = 0, **write: tuple) -> Row:
    row = site(read, objects, also, **write)
    return Row(row.allowed, study=True, objects=row.objects, also=row.also)


ACCOUNTS = {
    "account_login": site(ANYONE, POST=ANYONE),
    "account_logout": site(ANYONE, POST=ANYONE),
    "account_inactive": site(ANYONE),
    "account_reset_password": site(ANYONE, POST=ANYONE),
    "account_reset_password_done": site(ANYONE),
    "account_reset_password_from_key": site(ANYONE, POST=ANYONE),
    "account_reset_password_from_key_done": site(ANYONE),
    "account_reauthenticate": site(EVERYONE, POST=EVERYONE),
    "account_change_password": site(EVERYONE, POST=EVERYONE),
    "account_set_password": site(EVERYONE, POST=EVERYONE),
    "mfa_authenticate": site(ANYONE, POST=ANYONE),
    "mfa_reauthenticate": site(EVERYONE, also=403, POST=EVERYONE),
    "mfa_index": site(EVERYONE),
    "mfa_activate_totp": site(EVERYONE, POST=EVERYONE),
    "mfa_deactivate_totp": site(EVERYONE, also=404, POST=EVERYONE),
    "mfa_view_recovery_codes": site(EVERYONE, also=404),
    "mfa_generate_recovery_codes": site(EVERYONE, also=404, POST=EVERYONE),
    "mfa_download_recovery_codes": site(EVERYONE, also=404),
    "openid_connect_login": site(ANYONE, also=404, POST=ANYONE),
    "openid_connect_callback": site(ANYONE, also=404),
    "socialaccount_login_cancelled": site(ANYONE),
    "socialaccount_login_error": site(ANYONE, also=401),
    # what allauth brings and nobody reaches
    "account_signup": site(NOBODY, POST=NOBODY),
    "account_email": site(NOBODY, POST=NOBODY),
    "account_email_verification_sent": site(NOBODY),
    "account_confirm_email": site(NOBODY, POST=NOBODY),
    "account_confirm_login_code": site(NOBODY, POST=NOBODY),
    "socialaccount_signup": site(NOBODY, POST=NOBODY),
    "socialaccount_connections": site(NOBODY, POST=NOBODY),
    "accounts/social/login/cancelled/": site(NOBODY, POST=NOBODY),
    "accounts/social/login/error/": site(NOBODY, POST=NOBODY),
    "accounts/social/signup/": site(NOBODY, POST=NOBODY),
    "accounts/social/connections/": site(NOBODY, POST=NOBODY),
}

SITE = {
    "home": site(EVERYONE),
    "api_page": site(EVERYONE),
    "api_schema": site(EVERYONE),
    "join": site(ANYONE, {"secret": "invitation secret"}, POST=ANYONE),
    "reset": site(ANYONE, {"secret": "reset secret"}, POST=ANYONE),
    "account_settings": site(EVERYONE, POST=EVERYONE),
    "tokens": site(EVERYONE, POST=EVERYONE),
    "account_profile": site(None, POST=EVERYONE),
    "trail": site(ADMINS),
    "api:trail": site(ADMINS),
    "api:person-erase": site(None, {"pk": "person"}, POST=ADMINS),
    "api:person-credentials": site(ADMINS, {"pk": "person"}, POST=ADMINS),
    "api:person-credential": site(None, {"pk": "person", "name": "credential"}, DELETE=ADMINS),
    "person_erase": site(None, POST=ADMINS),
    "person_credential": site(None, POST=ADMINS),
    "token_revoke": site(None, POST=EVERYONE),
    "people": site(ADMINS),
    "people_invite": site(ADMINS, POST=ADMINS),
    "people_withdraw": site(None, POST=ADMINS),
    "person": site(ADMINS),
    "person_role": site(None, POST=ADMINS),
    "person_deactivate": site(None, POST=ADMINS),
    "person_reactivate": site(None, POST=ADMINS),
    "person_second_step": site(None, POST=ADMINS),
    "person_reset_link": site(None, POST=ADMINS),
    "my_work": site(EVERYONE),
    "study_new": site(LEADS, POST=LEADS),
    "study_apply": site(LEADS, POST=LEADS),
    "study_begin": site(LEADS, POST=LEADS),
    "api:me": site(EVERYONE, PATCH=EVERYONE),
    "api:me-accept": site(None, POST=EVERYONE),
    "api:token-list": site(EVERYONE, POST=EVERYONE),
    "api:token-detail": site(None, {"pk": "token"}, DELETE=EVERYONE),
    "api:person-list": site(ADMINS),
    "api:person-detail": site(ADMINS, {"pk": "person"}),
    "api:person-role": site(None, {"pk": "person"}, POST=ADMINS),
    "api:person-deactivate": site(None, {"pk": "person"}, POST=ADMINS),
    "api:person-reactivate": site(None, {"pk": "person"}, POST=ADMINS),
    "api:person-second-step": site(None, {"pk": "person"}, POST=ADMINS),
    "api:person-reset-link": site(None, {"pk": "person"}, POST=ADMINS),
    "api:invitation-list": site(ADMINS, POST=ADMINS),
    "api:invitation-detail": site(None, {"pk": "link"}, DELETE=ADMINS),
    "api:study-list": site(EVERYONE, POST=LEADS),
    "api:study-apply": site(None, POST=LEADS),
    "api:template-list": site(LEADS, POST=LEADS),
}

TEXTS = {
    "study": study(EVERYONE),
    "study_edit": study(LEADS, POST=LEADS),
    "study_texts": study(STAFF),
    "direction_new": study(LEADS, POST=LEADS),
    "sources_new": study(LEADS, POST=LEADS),
    "references_new": study(LEADS, POST=LEADS),
    "references_remove": study(None, POST=LEADS),
    "study_systems": study(STAFF),
    "system_new": study(LEADS, POST=LEADS),
    "system": study(STAFF),
    "system_remove": study(None, POST=LEADS),
    "study_members": study(LEADS, POST=LEADS),
    "study_trail": study(LEADS),
    "api:study-trail": study(LEADS),
    "study_terms": study(EVERYONE, POST=EVERYONE),
    "study_member_role": study(None, POST=LEADS),
    "study_member_remove": study(None, POST=LEADS),
    "study_invitation_withdraw": study(None, POST=LEADS),
    "study_documents": study(STAFF),
    "documents_new": study(LEADS, POST=LEADS),
    "document": study(STAFF),
    "study_questions": study(STAFF),
    "study_flags": study(LEADS),
    "flags_decide": study(None, POST=LEADS),
    "study_sections": study(LEADS, POST=LEADS),
    "study_groups": study(STAFF),
    "documents_link": study(None, POST=LEADS),
    "groups_make": study(None, POST=LEADS),
    "groups_sample": study(None, POST=LEADS),
    "sources_select": study(LEADS, POST=LEADS),
    "study_splits": study(LEADS, POST=LEADS),
    "study_concepts": study(STAFF),
    "concepts_link": study(None, POST=LEADS),
    "api:concept-list": study(STAFF, POST=LEADS),
    "api:document-list": study(STAFF, POST=LEADS),
    "api:document-detail": study(STAFF, {"pk": "document"}),
    "api:question-list": study(STAFF),
    "api:flag-list": study(LEADS, POST=LEADS),
    "api:section-list": study(STAFF, PUT=LEADS),
    "api:link-list": study(STAFF, POST=LEADS),
    "api:group-list": study(STAFF, POST=LEADS),
    "api:group-sample": study(None, POST=LEADS),
    "api:selection-list": study(None, POST=LEADS),
    "api:split-list": study(STAFF, PUT=LEADS),
    "api:study-detail": study(EVERYONE, PATCH=LEADS),
    "api:direction-list": study(STAFF, POST=LEADS),
    "api:sentence-list": study(STAFF, POST=LEADS),
    "api:reference-list": study(STAFF, POST=LEADS),
    "api:reference-detail": study(None, {"pk": "references"}, DELETE=LEADS),
    "api:system-list": study(STAFF, POST=LEADS),
    "api:system-detail": study(STAFF, {"pk": "system"}, DELETE=LEADS),
    "api:output-list": study(STAFF, {"pk": "system"}),
    "api:criterion-list": study(STAFF),
    "api:member-list": study(LEADS, POST=LEADS),
    "api:member-detail": study(None, {"pk": "member"}, PATCH=LEADS, DELETE=LEADS),
    "api:study-invitation-list": study(LEADS),
    "api:study-invitation-detail": study(None, {"pk": "invitation"}, DELETE=LEADS),
}

CAMPAIGNS = {
    "study_campaigns": study(EVERYONE),
    "campaign_new": study(LEADS, POST=LEADS),
    "campaign": study(STAFF),
    "campaign_state": study(None, POST=LEADS),
    "campaign_guideline": study(None, POST=LEADS),
    "campaign_adopt": study(None, POST=LEADS),
    "campaign_edit": study(LEADS, POST=LEADS),
    "campaign_build": study(None, POST=LEADS),
    "campaign_expected": study(LEADS),
    "campaign_expect": study(None, {"number": "item number"}, POST=LEADS),
    "campaign_adopt_screening": study(None, POST=LEADS),
    "crowd_enter": Row({"GET": ANYONE}),
    "crowd": Row({"GET": EVERYONE}, objects={"entrant": "nobody's"}, also=(404,)),
    "crowd_consent": site(None, {"entrant": "nobody's"}, 404, POST=EVERYONE),
    "crowd_finish": site(None, {"entrant": "nobody's"}, 404, POST=EVERYONE),
    "campaign_entrances": study(LEADS, POST=LEADS),
    "entrance_state": study(None, POST=LEADS),
    "entrant_release": study(None, POST=LEADS),
    "campaign_ledger": study(LEADS),
    "campaign_ledger_file": study(LEADS),
    "campaign_preview": study(STAFF),
    "campaign_preview_act": study(None, {"act": "submit"}, POST=STAFF),
    "campaign_agreement": study(STAFF, POST=LEADS),
    "campaign_agreement_file": study(STAFF, {"form": "json"}),
    "api:campaign-agreement": study(STAFF, POST=LEADS),
    "campaign_worker": study(STAFF, POST=LEADS),
    "api:campaign-worker": study(STAFF, {"worker": "worker"}, POST=LEADS),
    "campaign_review": study(STAFF),
    "campaign_decide": study(None, POST=STAFF),
    "campaign_work": study(EVERYONE),
    "campaign_read": study(None, POST=EVERYONE),
    "campaign_submit": study(None, POST=EVERYONE),
    "campaign_skip": study(None, POST=EVERYONE),
    "campaign_report": study(None, POST=EVERYONE),
    "campaign_draft": study(None, POST=EVERYONE),
    "campaign_answers": study(EVERYONE),
    "campaign_reply": study(None, {"review": "review"}, POST=EVERYONE),
    "api:campaign-reply": study(None, {"review": "review"}, POST=EVERYONE),
    "campaign_revise": study(EVERYONE, POST=EVERYONE),
    "study_gold": study(LEADS),
    "gold_file": study(LEADS, {"form": "jsonl"}),
    "api:campaign-list": study(STAFF, POST=LEADS),
    "api:campaign-detail": study(STAFF, PATCH=LEADS),
    "api:campaign-state": study(None, POST=LEADS),
    "api:campaign-guideline": study(EVERYONE, POST=LEADS),
    "api:campaign-adopt": study(None, POST=LEADS),
    "api:campaign-build": study(None, POST=LEADS),
    "api:campaign-progress": study(STAFF),
    "api:campaign-expected": study(LEADS),
    "api:campaign-expect": study(None, {"number": "item number"}, PUT=LEADS, DELETE=LEADS),
    "api:campaign-adopt-screening": study(None, POST=LEADS),
    "api:campaign-next": study(None, POST=EVERYONE),
    "api:campaign-answers": study(EVERYONE, POST=EVERYONE),
    "api:campaign-answer": study(None, POST=EVERYONE),
    "api:campaign-draft": study(None, POST=EVERYONE),
    "api:campaign-skip": study(None, POST=EVERYONE),
    "api:campaign-report": study(None, POST=EVERYONE),
    "api:campaign-reviews": study(STAFF, POST=STAFF),
    "api:entrance-list": study(LEADS, POST=LEADS),
    "api:entrance-detail": study(None, PATCH=LEADS),
    "api:entrant-release": study(None, POST=LEADS),
    "api:campaign-ledger": study(LEADS),
    "api:translation-list": study(LEADS, POST=LEADS),
    "api:gold": study(LEADS),
    "release_new": study(LEADS, POST=LEADS),
    "release": study(LEADS, {"number": "release number"}),
    "release_file": study(LEADS, {"number": "release number", "name": "gold.jsonl"}),
    "api:release-list": study(LEADS, POST=LEADS),
    "api:release-detail": study(LEADS, {"number": "release number"}),
    "api:release-file": study(LEADS, {"number": "release number", "name": "gold.jsonl"}),
}

JOBS = {
    "study_jobs": study(STAFF),
    "job": study(STAFF),
    "job_cancel": study(None, POST=LEADS),
    "job_retry": study(None, POST=LEADS),
    "transfer_new": study(LEADS, POST=LEADS),
    "api:job-list": study(STAFF),
    "api:job-detail": study(STAFF, {"pk": "job"}),
    "api:job-cancel": study(None, {"pk": "job"}, POST=LEADS),
    "api:job-retry": study(None, {"pk": "job"}, POST=LEADS),
    "api:transfer-list": study(LEADS, POST=LEADS),
}

REPORT = {
    "study_report": study(STAFF),
    "report_file": study(STAFF, {"form": "json"}),
    "metrics_choose": study(LEADS, POST=LEADS),
    "metrics_run": study(None, POST=LEADS),
    "study_ratings": study(LEADS, POST=LEADS),
    "ratings_remove": study(None, POST=LEADS),
    "api:metric-choices": study(STAFF, PUT=LEADS),
    "api:metric-run-list": study(STAFF, POST=LEADS),
    "api:report": study(STAFF),
    "api:ratings-list": study(LEADS, POST=LEADS),
    "api:ratings-detail": study(LEADS, DELETE=LEADS),
}

ROWS: dict[str, Row] = {**ACCOUNTS, **SITE, **TEXTS, **CAMPAIGNS, **JOBS, **REPORT}
