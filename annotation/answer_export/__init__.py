"""What people answered, as they answered it, on its way out: every revision with all that is known of it."""

from annotation.answer_export.formats import EXPORT_FORMATS, file_name
from annotation.answer_export.options import ExportOptions, export_options

__all__ = ["EXPORT_FORMATS", "ExportOptions", "export_options", "file_name"]
