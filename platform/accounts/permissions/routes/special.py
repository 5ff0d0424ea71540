"""Routes that the authorization middleware treats in a way of their own, by their names."""

# Pages that anyone may open and that show somebody's data all the same: who has the secret of their address.
BY_SECRET = frozenset({"join", "reset", "crowd_enter", "public_page", "account_reset_password_from_key"})

# Routes of a study that show none of its texts: the study's terms and credentials do not bar them.
WITHOUT_TEXTS = frozenset(
    {
        "study_terms",
        "api:study-terms",
        "study_edit",
        "study_archive",
        "study_delete",
        "study_duplicate",
        "study_removed",
        "removal_undo",
        "api:study-archive",
        "api:study-contents",
        "api:study-duplicate",
        "api:removal-list",
        "api:removal-undo",
        "study_members",
        "study_member_role",
        "study_member_remove",
        "study_invitation_withdraw",
        "study_trail",
        "study_trail_file",
        "study_public_links",
        "public_link_revoke",
        "api:public-link-list",
        "api:public-link-detail",
        "api:study-detail",
        "api:member-list",
        "api:member-detail",
        "api:study-invitation-list",
        "api:study-invitation-detail",
        "api:study-trail",
    }
)

# Routes by which data leave the site: who takes them is noted in the audit log. (Exports of answers are recorded by
# their action, which commands call, too.)
TAKES_OUT = frozenset(
    {
        "campaign_agreement_file",
        "campaign_ledger_file",
        "gold_file",
        "api:gold",
        "release_file",
        "api:release-file",
        "report_file",
        "table_file",
        "checkpoint_file",
        "api:checkpoint-file",
        "transfer_result",
        "api:transfer-result",
        "trail_file",
        "study_trail_file",
        "mfa_download_recovery_codes",
    }
)

# Those of them from which pages draw figures.
DRAWN = frozenset({"table_file"})

# Routes that change an archived study all the same, or nothing in it; a method may stand behind the name.
WHILE_ARCHIVED = frozenset(
    {
        "study_terms",
        "study_archive",
        "study_delete",
        "study_duplicate",
        "public_link_revoke",
        "api:public-link-detail",
        "api:study-archive",
        "api:study-terms",
        "api:study-duplicate",
        "api:study-detail DELETE",
    }
)

# Routes that give out work when they are read: an archived study has none.
GIVES_WORK = frozenset({"campaign_work"})
