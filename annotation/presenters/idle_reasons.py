"""Why there is nothing to do, as an annotator reads it."""

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from annotation.engine.assignment_queue import Claim, Reason

IDLE_MESSAGES = {
    Reason.FINISHED: (gettext_noop("All items are done"), gettext_noop("This campaign is finished. Thank you.")),
    Reason.YOURS_DONE: (
        gettext_noop("You have done all you can do here"),
        gettext_noop("What is left must be answered by other people. Thank you."),
    ),
    Reason.LEASED: (
        gettext_noop("All that is left is in other hands"),
        gettext_noop("Others are working on the last items. Look again later: what they give back comes to you."),
    ),
    Reason.HELD: (
        gettext_noop("What is left waits for a reviewer"),
        gettext_noop("A problem was reported with the last items. Look again when a reviewer has decided."),
    ),
    Reason.WAITING: (
        gettext_noop("Nothing to do at the moment"),
        gettext_noop("This work follows other work, which is still going on. Look again later."),
    ),
    Reason.NOT_QUALIFIED: (
        gettext_noop("This campaign is for other roles"),
        gettext_noop("Your role in this study does not qualify for this campaign. Its researchers can say more."),
    ),
    Reason.QUOTA: (
        gettext_noop("You have done your part"),
        gettext_noop("So many items are the most that one person may do here. Thank you."),
    ),
    Reason.DAY_FULL: (
        gettext_noop("Enough for today"),
        gettext_noop("So many items are the most that one person may do in a day. Come back tomorrow."),
    ),
    Reason.PAUSED_YOU: (
        gettext_noop("Your work here is paused"),
        gettext_noop("Read what the reviewers wrote to your answers. A researcher can let you go on."),
    ),
    Reason.NOT_PASSED: (
        gettext_noop("Not passed"),
        gettext_noop("You have gone through all items. If a try is left, load this page again to begin it."),
    ),
    Reason.DRAFT: (gettext_noop("Not open yet"), gettext_noop("This campaign has not been started.")),
    Reason.PAUSED: (gettext_noop("Paused"), gettext_noop("This campaign is paused. Your answers are safe.")),
    Reason.ARCHIVED: (
        gettext_noop("Archived"),
        gettext_noop("The study of this campaign is archived, so there is no work in it. Your answers are safe."),
    ),
    Reason.CLOSED: (gettext_noop("Closed"), gettext_noop("This campaign is closed. Thank you for your work.")),
}


LEARNED = (
    gettext_noop("You have done all of this training"),
    gettext_noop("The work that it prepares for is on the page My work, once you may begin it."),
)
UNMET = (
    gettext_noop("This work asks for something more"),
    gettext_noop("You cannot work here yet, for this reason:"),
)


def idle_message(claim: Claim) -> dict[str, Any]:
    """The title and the text of an empty queue, with the sentences that say more of it."""
    reason = claim.reason or Reason.FINISHED
    title, text = UNMET if reason == Reason.NOT_QUALIFIED and claim.sentences else IDLE_MESSAGES[reason]
    if reason == Reason.YOURS_DONE and not claim.context.is_work:
        title, text = LEARNED
    return {"name": reason.value, "title": _(title), "text": _(text), "sentences": claim.sentences}
