"""Why there is nothing to do, as an annotator reads it."""

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from annotation.queue import Claim, Reason

TOLD = {
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
    Reason.NOT_QUALIFIED: (
        gettext_noop("This campaign is for other roles"),
        gettext_noop("Your role in this study does not qualify for this campaign. Its researchers can say more."),
    ),
    Reason.DRAFT: (gettext_noop("Not open yet"), gettext_noop("This campaign has not been started.")),
    Reason.PAUSED: (gettext_noop("Paused"), gettext_noop("This campaign is paused. Your answers are safe.")),
    Reason.CLOSED: (gettext_noop("Closed"), gettext_noop("This campaign is closed. Thank you for your work.")),
}


def told(claim: Claim) -> dict[str, str]:
    """The title and the text of an empty queue."""
    reason = claim.reason or Reason.FINISHED
    title, text = TOLD[reason]
    return {"name": reason.value, "title": _(title), "text": _(text)}
