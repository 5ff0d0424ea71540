"""The forms of campaigns, of gold and of the crowd."""

from annotation.forms.campaign import CampaignForm, EditCampaignForm, GuidelineForm
from annotation.forms.criteria import criteria_form

__all__ = ["CampaignForm", "EditCampaignForm", "GuidelineForm", "criteria_form"]
