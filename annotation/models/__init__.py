"""The tables of this room."""

from annotation.models.campaign import AgreementRun, Campaign, Criterion, Guideline, StudyScale, TranslationRun
from annotation.models.crowd import CrowdParticipant, DeviceUse, RecruitmentLink
from annotation.models.gold import (
    AdoptedReference,
    AdoptedSource,
    GoldImport,
    GoldImportPiece,
    ImportedGold,
    Release,
    ReleaseFile,
    ReleasePiece,
    ReleaseRun,
)
from annotation.models.machine import MachineRater
from annotation.models.work import Answer, Assignment, CampaignMembership, Draft, Item, Review

__all__ = [
    "AdoptedReference",
    "AdoptedSource",
    "AgreementRun",
    "Answer",
    "Assignment",
    "Campaign",
    "CampaignMembership",
    "Criterion",
    "CrowdParticipant",
    "DeviceUse",
    "Draft",
    "GoldImport",
    "GoldImportPiece",
    "Guideline",
    "ImportedGold",
    "Item",
    "MachineRater",
    "RecruitmentLink",
    "Release",
    "ReleaseFile",
    "ReleasePiece",
    "ReleaseRun",
    "Review",
    "StudyScale",
    "TranslationRun",
]  # fmt: skip
