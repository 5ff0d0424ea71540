from typing import Any

from django.core.files.storage import default_storage
from django.core.management.base import BaseCommand


class Command(BaseCommand):
    """Make the bucket that RESTYLE_STORAGE names, unless it is there; nothing for a folder."""

    help = __doc__

    def handle(self, *args: Any, **options: Any) -> None:
        if not hasattr(default_storage, "bucket_name"):
            return
        from botocore.exceptions import ClientError

        client, name = default_storage.connection.meta.client, default_storage.bucket_name
        try:
            client.head_bucket(Bucket=name)
        except ClientError as error:
            if error.response["Error"]["Code"] not in ("404", "NoSuchBucket"):
                raise
            client.create_bucket(Bucket=name)
            self.stdout.write(f"Made the bucket {name}.")
