"""The headers of a file on its way out."""

import base64


def as_file(name: str, size: int | None = None, sha256: str = "") -> dict[str, str]:
    """For a browser to store it as `name`; its digest (hexadecimal) says to the receiver whether it came whole."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    if size is not None:
        headers["Content-Length"] = str(size)
    if sha256:
        digest = base64.b64encode(bytes.fromhex(sha256)).decode()
        headers |= {"ETag": f'"{sha256}"', "Repr-Digest": f"sha-256=:{digest}:"}  # RFC 9530
    return headers
