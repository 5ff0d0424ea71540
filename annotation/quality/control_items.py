"""Control items: answers to items whose answer is known (GYAFC 3.1 and MSD 3.1 looked at work by hand instead)."""

from collections.abc import Iterator

from annotation.quality._base import AnnotatorWork, CampaignTraits, Check, Finding, Settings, evidence_of
from foundation.options import percent
from foundation.translation import translatable


class ControlItems(Check):
    name = "control_items"
    label = "Control items"
    about = "Finds people who answer too few control items as expected."
    defaults = {"least_score": 0.7, "least_items": 3}

    def idle(self, about: CampaignTraits) -> str:
        return "" if about.controls else translatable("No item of this campaign is a control item.")

    def findings(self, work: AnnotatorWork, settings: Settings) -> Iterator[Finding]:
        """The score is the mean over the control items of how far each was answered as expected."""
        scored = [(answer, answer.control) for answer in work.answers if answer.control is not None]
        if len(scored) < settings["least_items"]:
            return
        score = sum(value for _, value in scored) / len(scored)
        if score < settings["least_score"] - 1e-9:
            missed = [evidence_of(control, percent(value)) for control, value in scored if value < 1]
            wanted = percent(settings["least_score"])
            yield self.found(
                f"They answered {len(scored)} control items {percent(score)} as expected; at least {wanted} is asked.",
                missed,
            )


CHECK = ControlItems()
