"""The export of answers as people gave them: every revision with all that is known of it."""

from annotation.answer_export.formats import EXPORT_FORMATS, file_name

__all__ = ["EXPORT_FORMATS", "file_name"]
