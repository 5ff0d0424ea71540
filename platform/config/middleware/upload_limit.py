"""Uploads that are too large are refused while they come in, so that they fill neither memory nor disk."""

from typing import Any

from django.conf import settings
from django.core.files.uploadhandler import FileUploadHandler, SkipFile

CHECKPOINT_ROUTES = {"checkpoint_import", "api:checkpoint-list"}


def limit_of(request: Any) -> int:
    """How many bytes the uploads of a request may have."""
    route = request.resolver_match.view_name if request.resolver_match else ""
    large = route in CHECKPOINT_ROUTES and request.user.is_authenticated
    return settings.CHECKPOINT_LIMIT_BYTES if large else settings.UPLOAD_LIMIT_BYTES


class LimitUploads(FileUploadHandler):
    """Passes over the files of a request once they have more than UPLOAD_LIMIT_BYTES together.

    Checkpoints may have CHECKPOINT_LIMIT_BYTES, from somebody who is signed in. The limit is left at
    `request.upload_limit`.

    The names of what was passed over are left at `request.refused_uploads`, by field; forms and endpoints say so. The
    body is still read to its end, since a browser shows no answer to a request that it could not send.
    """

    def handle_raw_input(self, input_data: Any, META: Any, content_length: int, *args: Any, **kwargs: Any) -> None:  # noqa: N803
        self.request.refused_uploads = {}
        self.request.upload_limit = limit_of(self.request)
        self.received = 0
        # what stands around the files is small: a body that is much larger than the limit holds a file that is too
        self.too_large = content_length > self.request.upload_limit + settings.DATA_UPLOAD_MAX_MEMORY_SIZE

    def new_file(self, *args: Any, **kwargs: Any) -> None:
        super().new_file(*args, **kwargs)
        if self.too_large:
            self._refuse()

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes:
        self.received += len(raw_data)
        if self.received > self.request.upload_limit:
            self._refuse()
        return raw_data

    def file_complete(self, file_size: int) -> None:
        return None

    def _refuse(self) -> None:
        self.request.refused_uploads[self.field_name] = self.file_name
        raise SkipFile
