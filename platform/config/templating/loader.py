"""The loader of this project's templates, and of those that installed packages bring for their kinds of work."""

from pathlib import Path

from django.template import Origin
from django.template.loaders.filesystem import Loader as FilesystemLoader

from config.templating.whitespace import without_whitespace
from foundation.plugins import template_folders


class Loader(FilesystemLoader):
    """Reads templates from the folders of `DIRS` and of packages, without whitespace that shows nothing."""

    def get_dirs(self) -> list[Path]:
        return [*super().get_dirs(), *template_folders()]

    def get_contents(self, origin: Origin) -> str:
        return without_whitespace(super().get_contents(origin))
