"""A real server of S3's language on this machine."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.request import Request, urlopen

import pytest
from moto.server import ThreadedMotoServer

BUCKET = "models"


@contextmanager
def s3_server() -> Iterator[Any]:
    """A client of it, with an empty bucket; boto3's variables name it, for the processes that the block starts too."""
    import boto3

    server = ThreadedMotoServer(port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    reset = Request(f"http://{host}:{port}/moto-api/reset", method="POST")
    urlopen(reset).close()  # its buckets are those of the process, an earlier test's too
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AWS_ENDPOINT_URL", f"http://{host}:{port}")
        patch.setenv("AWS_ACCESS_KEY_ID", "key")
        patch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
        patch.setenv("AWS_DEFAULT_REGION", "us-east-1")
        client = boto3.client("s3")
        client.create_bucket(Bucket=BUCKET)
        yield client
    server.stop()
