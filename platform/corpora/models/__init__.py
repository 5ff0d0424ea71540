"""The tables of this room."""

from corpora.models.data_use_agreement import TermsAcceptance
from corpora.models.direction import Direction
from corpora.models.document import Document, DocumentSentence
from corpora.models.group import DocumentLink, Group, SectionElement
from corpora.models.held_out_text import HeldOutText
from corpora.models.invitation import StudyInvitation
from corpora.models.membership import Membership
from corpora.models.orphaned_file import LeftFile
from corpora.models.question import Question
from corpora.models.reference import Reference, ReferenceSet
from corpora.models.removal import Removal, RemovalPiece
from corpora.models.selection import SelectionRun
from corpora.models.sentence import Sentence
from corpora.models.study import Study
from corpora.models.system import Output, System
from corpora.models.upload import Upload, UploadPiece

__all__ = [
    "Direction", "Document", "DocumentLink", "DocumentSentence", "Group", "HeldOutText", "LeftFile", "Membership",
    "Output", "Question", "Reference", "ReferenceSet", "Removal", "RemovalPiece", "SectionElement", "SelectionRun",
    "Sentence", "Study", "StudyInvitation", "System", "TermsAcceptance", "Upload", "UploadPiece",
]  # fmt: skip
