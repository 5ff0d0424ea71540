"""Names under which the audit log stores actions and arguments that were renamed since, so that one act has one name.

Old rows, and programs that read the log through the API, know the stored names; pages show the names of today.
"""

from accounts.permissions.routes.special import TAKES_OUT

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
# What is shown of acts that libraries and addresses name: plain verbs.
_PLAIN = {
    "sign_in_failed": "fail to sign in", "second_step_failed": "fail at the second step",
    "drop_second_step": "remove second step",
    **{f"take_{name}": f"download {name.removeprefix('mfa_download_').removesuffix('_file')}" for name in
       (one.removeprefix("api:").replace("-", "_") for one in TAKES_OUT)},
}  # fmt: skip
ARGUMENTS = {"recruitment_link": "entrance", "participant": "entrant"}
SHOWN = {stored: name for name, stored in (ACTIONS | ARGUMENTS).items()} | _PLAIN
