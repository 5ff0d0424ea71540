"""Names under which the audit log stores actions and arguments that were renamed since, so that one act has one name.

Old rows, and programs that read the log through the API, know the stored names; pages show the names of today.
"""

# Name of today -> stored name.
ACTIONS = {
    "open_recruitment_link": "open_entrance",
    "set_recruitment_link_state": "set_entrance_state",
    "release_crowd_participant": "release_entrant",
    "review_answer": "decide",
    "pause_annotator": "pause_worker",
    "resume_annotator": "resume_worker",
    "settle_annotator": "settle_worker",
}
ARGUMENTS = {"recruitment_link": "entrance", "participant": "entrant"}
SHOWN = {stored: name for name, stored in (ACTIONS | ARGUMENTS).items()}
