"""What people answered, as they answered it, on its way out: every revision with all that is known of it."""

from annotation.raw.asking import Asked, asked_of
from annotation.raw.forms import FORMS, file_name

__all__ = ["FORMS", "Asked", "asked_of", "file_name"]
