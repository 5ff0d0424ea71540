"""The tables of this room."""

from annotation.models.adoption import AdoptedReference, AdoptedSource
from annotation.models.agreement import AgreementRun
from annotation.models.answer import Answer, Review
from annotation.models.assignment import Assignment
from annotation.models.campaign import Campaign, Guideline
from annotation.models.criterion import Criterion
from annotation.models.device import DeviceUse
from annotation.models.draft import Draft
from annotation.models.gold_import import GoldImport, GoldImportPiece
from annotation.models.item import Item
from annotation.models.membership import CampaignMembership
from annotation.models.recruitment import CrowdParticipant, RecruitmentLink
from annotation.models.release import ImportedGold, Release, ReleaseFile, ReleasePiece, ReleaseRun
from annotation.models.study_scale import StudyScale
from annotation.models.translation import TranslationRun

__all__ = [
    "AdoptedReference", "AdoptedSource", "AgreementRun", "Answer", "Assignment", "Campaign",
    "CampaignMembership", "Criterion", "CrowdParticipant", "DeviceUse", "Draft", "GoldImport",
    "GoldImportPiece", "Guideline", "ImportedGold", "Item", "RecruitmentLink", "Release", "ReleaseFile",
    "ReleasePiece", "ReleaseRun", "Review", "StudyScale", "TranslationRun",
]  # fmt: skip
