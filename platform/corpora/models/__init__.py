from corpora.models.direction import Direction
from corpora.models.invitation import StudyInvitation
from corpora.models.membership import Membership
from corpora.models.reference import Reference, ReferenceSet
from corpora.models.sentence import Sentence
from corpora.models.study import Study
from corpora.models.system import Output, System

__all__ = [
    "Direction", "Membership", "Output", "Reference", "ReferenceSet", "Sentence", "Study", "StudyInvitation", "System",
]  # fmt: skip
