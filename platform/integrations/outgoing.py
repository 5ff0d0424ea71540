"""Requests to addresses that people give: no way into the site's own network, and no answer without limits.

The name is looked up once, and the connection goes to the address that was checked: a name that points elsewhere a
moment later (DNS rebinding) leads nowhere. A redirect is an answer like another, and is not followed. No proxy of the
environment is asked, since a proxy would look the name up itself.
"""

import http.client
import ipaddress
import socket
import ssl
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from urllib.parse import SplitResult, urlsplit

from django.conf import settings

from foundation.errors import UserError
from foundation.translation import translatable
from integrations.failures import ServiceError

LONGEST_URL = 2_000
Address = ipaddress.IPv4Address | ipaddress.IPv6Address
# IPv6 networks whose addresses carry one of IPv4: NAT64 (RFC 6052, RFC 8215), 6to4 (RFC 3056), Teredo (RFC 4380).
CARRIERS = [ipaddress.ip_network(one) for one in ("64:ff9b::/96", "64:ff9b:1::/48", "2002::/16", "2001::/32")]


@dataclass(frozen=True)
class Reply:
    """An answer: `body` may be cut to the limit, which `cut` tells. Names of headers are in small letters."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    seconds: float
    cut: bool = False


def check_url(url: str, *, where: str = "url") -> str:
    """The address, where requests may go to one of its form; a UserError names what is wrong."""
    parts = _parts(url, where)
    if parts.username or parts.password:
        raise UserError("An address with a name or password in it is not accepted.", where=where)
    if parts.scheme != "https" and not (parts.scheme == "http" and settings.OUTGOING_PRIVATE):
        raise UserError("The address must begin with https://.", where=where)
    host = (parts.hostname or "").rstrip(".")
    host = "127.0.0.1" if host == "localhost" or host.endswith(".localhost") else host  # RFC 6761
    with suppress(ValueError):
        if not _allowed(ipaddress.ip_address(host)):
            raise UserError(PRIVATE, where=where)
    return url


PRIVATE = translatable("The address is in a private network, where this site sends nothing.")


def send(
    method: str, url: str, *, headers: Mapping[str, str], body: bytes = b"", seconds: float = 15,
    most: int = 1_000_000, trusted: bool = False,
) -> Reply:  # fmt: skip
    """Ask once, within so many seconds in all, and read at most so many bytes. ServiceError where no answer comes.

    A `trusted` address is the operator's, of a setting: it may be a private one.
    """
    parts = urlsplit(url if trusted else check_url(url))
    began = time.monotonic()
    port = parts.port or (443 if parts.scheme == "https" else 80)
    connection = _connection(parts.hostname or "", port, parts.scheme, seconds)
    connection.pinned = _resolved(parts.hostname or "", port, trusted=trusted)
    with _in_time(connection, seconds):
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        connection.request(method, path, body=body or None, headers={"Connection": "close", **headers})
        answer = connection.getresponse()
        read = answer.read(most + 1)
        if answer.length and len(read) <= most:
            raise http.client.IncompleteRead(read)
    told = {name.lower(): value for name, value in answer.getheaders()}
    return Reply(answer.status, told, read[:most], time.monotonic() - began, len(read) > most)


@contextmanager
def _in_time(connection: "_Plain | _Secure", seconds: float) -> Iterator[None]:
    """End the connection after so many seconds; say as a ServiceError how it failed.

    A server that sends a byte now and then meets no other limit.
    """
    timer = threading.Timer(seconds, connection.end)
    timer.daemon = True
    timer.start()
    try:
        yield
    except (OSError, http.client.HTTPException, ValueError) as error:
        if connection.ended or isinstance(error, TimeoutError):
            raise _late(seconds) from None
        if isinstance(error, ssl.SSLError):
            why = getattr(error, "verify_message", "") or error.reason or "TLS"
            raise ServiceError("The server's certificate was refused: {why}.", permanent=False, why=why) from None
        raise ServiceError("The server cannot be reached, or broke off.", permanent=False) from None
    finally:
        timer.cancel()
        connection.close()
    if connection.ended:
        raise _late(seconds)


def _late(seconds: float) -> ServiceError:
    return ServiceError("The server did not answer within {n} seconds.", permanent=False, n=round(seconds))


def _parts(url: str, where: str) -> SplitResult:
    try:
        parts = urlsplit(url)
        good = bool(parts.hostname) and parts.port != 0
    except ValueError:
        good = False
    if not good or len(url) > LONGEST_URL or not url.isascii() or not url.isprintable() or " " in url:
        raise UserError("This is not a web address.", where=where)
    return parts


def _resolved(host: str, port: int, *, trusted: bool) -> str:
    """The address to connect to; a host with any address that is refused is refused."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise ServiceError("There is no server of the name {host}.", permanent=False, host=host) from None
    addresses = [str(sockaddr[0]) for *_, sockaddr in found]
    if not addresses or (
        not trusted and not all(_allowed(ipaddress.ip_address(one.partition("%")[0])) for one in addresses)
    ):
        raise ServiceError(PRIVATE, permanent=True)
    return addresses[0]


def _allowed(address: Address) -> bool:
    if settings.OUTGOING_PRIVATE:
        return True
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is not None:
            return _allowed(address.ipv4_mapped)
        if any(address in carrier for carrier in CARRIERS):
            return False
    return address.is_global and not address.is_multicast


class _Pinned:
    """A connection to the address `pinned`, which knows its server by the name that it was asked for."""

    pinned = ""
    ended = False
    sock: socket.socket | None = None

    def end(self) -> None:
        self.ended = True
        if self.sock is not None:
            with suppress(OSError):
                socket.socket.shutdown(self.sock, socket.SHUT_RDWR)


class _Plain(_Pinned, http.client.HTTPConnection):
    def connect(self) -> None:
        self.sock = socket.create_connection((self.pinned, self.port), self.timeout)


class _Secure(_Pinned, http.client.HTTPSConnection):
    def connect(self) -> None:
        self.sock = socket.create_connection((self.pinned, self.port), self.timeout)
        self.sock = _trusted().wrap_socket(self.sock, server_hostname=self.host)


def _connection(host: str, port: int, scheme: str, seconds: float) -> "_Plain | _Secure":
    return (_Secure if scheme == "https" else _Plain)(host, port, timeout=seconds)


@cache
def _trusted() -> ssl.SSLContext:
    return ssl.create_default_context()
