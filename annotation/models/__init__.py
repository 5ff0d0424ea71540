from annotation.models.answer import Answer, Review
from annotation.models.campaign import Campaign, Guideline
from annotation.models.criterion import Criterion
from annotation.models.draft import Draft
from annotation.models.item import Item
from annotation.models.seat import Seat
from annotation.models.slot import Slot

__all__ = ["Answer", "Campaign", "Criterion", "Draft", "Guideline", "Item", "Review", "Seat", "Slot"]
