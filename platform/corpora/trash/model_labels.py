"""The labels of models as removals keep them, some from before a model was renamed."""

# Old label -> label of today. A removal is kept for 30 days, and for good in backups; so no name leaves this table.
RENAMED = {
    "annotation.Seat": "annotation.CampaignMembership",
    "annotation.Slot": "annotation.Assignment",
    "annotation.Entrance": "annotation.RecruitmentLink",
    "annotation.Entrant": "annotation.CrowdParticipant",
}


def current_label(label: str) -> str:
    """The label of today of a model that a removal names."""
    return RENAMED.get(label, label)
