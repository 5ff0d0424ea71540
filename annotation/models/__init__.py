from annotation.models.answer import Answer, Review
from annotation.models.campaign import Campaign, Guideline
from annotation.models.criterion import Criterion
from annotation.models.draft import Draft
from annotation.models.entrance import Entrance, Entrant
from annotation.models.item import Item
from annotation.models.release import Release, ReleaseFile, ReleasePiece
from annotation.models.seat import Seat
from annotation.models.slot import Slot

__all__ = [
    "Answer", "Campaign", "Criterion", "Draft", "Entrance", "Entrant", "Guideline", "Item", "Release", "ReleaseFile",
    "ReleasePiece", "Review", "Seat", "Slot",
]  # fmt: skip
