"""Every sentence that is not empty."""

from corpora.selection_rules._base import KEPT, Selection, Settings, Verdict


class Everything(Selection):
    label = "Every sentence"
    about = "Keeps every sentence that is not empty."

    def keep(self, text: str, settings: Settings, score: float | None = None) -> Verdict:
        return KEPT if text.strip() else Verdict(False, "empty")


SELECTION = Everything()
