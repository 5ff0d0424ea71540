"""What is said of the ends of scales that were taken from the names of a study's styles."""

from django.utils.text import get_text_list
from django.utils.translation import gettext as _

from corpora.models import Study
from foundation.polarity import ends_of_styles


def ends_taken(study: Study) -> str:
    """What each end means in a study that was just made; "" where others were declared, or names say nothing."""
    if not study.poles or study.poles != ends_of_styles(study.styles):
        return ""
    ends = [_("%(end)s means %(style)s") % {"end": end, "style": style} for end, style in study.poles.items()]
    said = _("Of scales and metrics, %(ends)s, as the names of the styles say; 'Edit the study' changes it.")
    return said % {"ends": get_text_list(ends, _("and"))}
