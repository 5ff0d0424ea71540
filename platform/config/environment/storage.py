"""Where files are kept that machines share, from one variable: a folder, or a bucket of S3.

/mnt/shared/restyle        a folder, on a disk that every machine mounts
s3://bucket/prefix         S3, or whatever speaks its language; boto3's own variables name server and keys
                           (AWS_ENDPOINT_URL, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_DEFAULT_REGION)
"""

from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured


def storage_of(place: str) -> dict[str, Any]:
    """The entry of Django's STORAGES for that place."""
    parts = urlsplit(place)
    if parts.scheme == "s3":
        options = {"bucket_name": parts.netloc, "location": parts.path.strip("/"), "file_overwrite": False}
        options["max_memory_size"] = 8 << 20  # bytes of a file that is read; what is longer goes over the disk
        return {"BACKEND": "storages.backends.s3.S3Storage", "OPTIONS": {**options, "default_acl": None}}
    if parts.scheme not in ("", "file"):
        raise ImproperlyConfigured("RESTYLE_STORAGE and RESTYLE_BACKUPS are a folder, or s3://bucket/prefix.")
    folder = Path(parts.path).expanduser().absolute()
    return {
        "BACKEND": "django.core.files.storage.FileSystemStorage",
        "OPTIONS": {"location": folder, "file_permissions_mode": 0o600, "directory_permissions_mode": 0o700},
    }
