"""The permission that each recorded action asks for: checked inside the action, so that no caller can forget it.

An action without a person (a command of the operator, a receiver) is the site's own, and asks for nothing.
"""

from typing import Any

from django.core.exceptions import PermissionDenied

from accounts.permissions import GRANTS, SITE, Can, Open, Role, require

_OF: dict[Can | Open, str] = {
    # one's own account, a link's secret, or a rule that the action itself holds
    Open.ANYONE: """
        accept_as_person accept_invitation accept_terms change_password choose_language choose_notifications
        create_webhook edit_profile make_token remove_webhook rename_person replay_delivery reset_password
        revoke_token set_webhook_state try_webhook withdraw_invitation
    """,
    Can.MANAGE_PEOPLE: """
        change_role deactivate_person erase_person invite_person make_reset_link reactivate_person
        remove_credential remove_second_step rotate_key set_credential start_demo_reset
    """,
    Can.SEE_HEALTH: "start_backup",
    Can.CREATE_STUDY: "apply_study begin_study create_study",
    Can.MANAGE_MEMBERS: "invite_member remove_member set_member_role",
    Can.EDIT_STUDY: """
        add_direction add_documents add_linked_references add_reference_system add_references add_scale
        add_sources add_system adopt_gold adopt_screening amend_human_study apply_template assign_splits
        bring_gold_in bring_in_judgements bring_in_table build_campaign close_human_study connect_account
        create_campaign decide_flags delete_human_study delete_study draft_recruitment duplicate_study
        edit_campaign edit_study exclude_rater grow_campaign import_gold import_ratings import_scores
        import_written include_rater keep_rater_traits keep_table link_concepts link_documents make_groups
        make_public_link map_sections open_human_study open_recruitment_link order_recruitment pause_annotator
        plan_human_study release_crowd_participant remove_campaign remove_direction remove_document
        remove_ratings remove_references remove_scale remove_scores remove_sources remove_system rename_system
        repeat_human_study resume_annotator revise_guideline revoke_public_link sample_groups select_sources
        set_archived set_campaign_state set_expected set_recruitment_link_state settle_annotator settle_order
        settle_systems start_gold_import start_import start_selection start_table suggest_elements
        take_back_gold undo_removal upload_ratings
    """,
    Can.ANNOTATE: "reply_to_review",
    Can.REVIEW: "review_answer",
    Can.RUN_MODELS: """
        cancel_job cancel_sweep describe_training import_checkpoint remove_checkpoint remove_sweep remove_training
        repeat_training resume_sweep retry_job start_file_transfer start_sweep start_training start_transfer
        start_translation
    """,
    Can.RUN_METRICS: """
        add_machine_rater choose_metrics choose_report remove_machine_rater start_agreement start_judging
        start_machine_rater start_metrics
    """,
    Can.EXPORT: "export_answers export_study export_table",
    Can.RELEASE: "start_publication start_pull start_release",
}
NEEDS: dict[str, Can | Open] = {name: need for need, names in _OF.items() for name in names.split()}


def require_for_action(name: str, person: Any, study: Any) -> None:
    """Raise PermissionDenied, with a sentence, unless `person` may do the action in the study (None: of none).

    LookupError for an action without a row.
    """
    if name not in NEEDS:
        raise LookupError(f"Say in accounts/permissions/actions.py what the action {name!r} asks of a person.")
    need = NEEDS[name]
    if not isinstance(need, Can) or person is None:
        return
    if study is not None or need in SITE:
        require(person, need, study)
    elif person.role != Role.ADMIN and person.role not in GRANTS[need]:  # of a study that is gone
        raise PermissionDenied(f"You may not {need}.")
