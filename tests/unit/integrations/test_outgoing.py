"""Requests to addresses that people give: nothing inside is reached, and no answer holds a worker."""

import socket
import threading

import pytest
from support.processes import PATIENCE
from support.receivers import receiver

from foundation.errors import UserError
from integrations.failures import ServiceError
from integrations.outgoing import check_url, send


@pytest.fixture
def private(settings):
    settings.OUTGOING_PRIVATE = True


@pytest.mark.parametrize("url", [
    "http://example.org/", "https://user:word@example.org/", "ftp://example.org/", "https://", "example.org",
    "https://127.0.0.1/", "https://10.1.2.3/", "https://169.254.169.254/latest/meta-data/", "https://[::1]/",
    "https://[::ffff:127.0.0.1]/", "https://[64:ff9b::7f00:1]/", "https://[2002:7f00:1::]/", "https://[fd00::1]/",
    "https://0.0.0.0/", "https://100.64.0.1/", "https://224.0.0.1/", "https://example.org:0/",
    "https://localhost:8443/", "https://me.LOCALHOST./",
    "https://example.org/a b", "https://exämple.org/", "https://example.org/\n",
])  # fmt: skip
def test_an_address_is_refused_by_its_form(url):
    with pytest.raises(UserError):
        check_url(url)


@pytest.mark.parametrize("addresses", [["127.0.0.1"], ["93.184.216.34", "10.0.0.1"], ["::ffff:192.168.0.1"]])
def test_a_name_that_leads_inside_is_refused_for_good(monkeypatch, addresses):
    found = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (one, 443)) for one in addresses]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: found)
    with pytest.raises(ServiceError, match="private network") as refused:
        send("POST", "https://hooks.example/", headers={})
    assert refused.value.permanent


def test_the_connection_goes_to_the_address_that_was_checked(monkeypatch, private):
    """A name that points elsewhere at the next look is not looked up again."""
    with receiver() as served:
        looked = []

        def once(host, *_, **__):
            looked.append(host)
            where = "127.0.0.1" if len(looked) == 1 else "203.0.113.1"
            return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (where, served.port))]

        real = socket.getaddrinfo
        monkeypatch.setattr(
            socket, "getaddrinfo", lambda host, *a, **k: (once if host == "hooks.example" else real)(host, *a, **k)
        )
        reply = send("POST", f"http://hooks.example:{served.port}/x", headers={"A": "b"}, body=b"{}")
    assert (reply.status, looked) == (204, ["hooks.example"])
    assert served.requests[0].headers["host"] == f"hooks.example:{served.port}"


def test_a_redirect_is_not_followed(private):
    with receiver(behave=lambda to, came: to.reply(302, b"there", Location="http://127.0.0.1/admin")) as served:
        assert send("POST", served.url, headers={}).status == 302
    assert len(served.requests) == 1


def test_an_answer_is_cut_and_a_server_that_drips_is_left(private, monkeypatch):
    """The time is over when the server has begun its answer, and goes on with it no more until the client has left."""
    begun, left = threading.Event(), threading.Event()

    class OverWhenBegun(threading.Timer):
        def run(self):
            if begun.wait(self.interval):
                self.function()

    def drip(to, came):
        to.wfile.write(b"HTTP/1.1 200 OK\r\nX: y\r\n")
        begun.set()
        left.wait(PATIENCE)

    def half(to, came):
        to.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")
        to.close_connection = True

    with receiver(behave=lambda to, came: to.reply(200, b"x" * 50_000)) as served:
        reply = send("GET", served.url, headers={}, most=1_000)
        assert (len(reply.body), reply.cut) == (1_000, True)
        served.behave = drip
        with monkeypatch.context() as patch:
            patch.setattr(threading, "Timer", OverWhenBegun)
            with pytest.raises(ServiceError, match="did not answer") as late:
                send("GET", served.url, headers={}, seconds=PATIENCE)
        left.set()
        assert not late.value.permanent
        served.behave = half
        with pytest.raises(ServiceError, match="broke off"):
            send("GET", served.url, headers={})


def test_nobody_at_the_port_is_no_permanent_failure(private):
    with receiver() as served:
        url = served.url
    with pytest.raises(ServiceError, match="cannot be reached") as away:
        send("GET", url, headers={})
    assert not away.value.permanent
