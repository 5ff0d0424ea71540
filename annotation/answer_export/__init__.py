"""What people answered, as they answered it, on its way out: every revision with all that is known of it."""

from annotation.answer_export.formats import EXPORT_FORMATS, file_name

__all__ = ["EXPORT_FORMATS", "file_name"]
