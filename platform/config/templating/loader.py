"""The loader of this project's templates."""

from django.template import Origin
from django.template.loaders.filesystem import Loader as FilesystemLoader

from config.templating.whitespace import without_whitespace


class Loader(FilesystemLoader):
    """Reads templates from the folders of `DIRS`, without whitespace that shows nothing."""

    def get_contents(self, origin: Origin) -> str:
        return without_whitespace(super().get_contents(origin))
