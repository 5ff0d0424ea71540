"""A proxy of a host that carries several sites: nginx where it is installed, else a plain one of Python's library.

Below /restyle/ it hands on to Restyle, without the path; at / is another site of Django's, with its own cookies.
"""

import http.client
import shutil
import signal
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from support.processes import free_port, wait_until

FOREIGN = ("sessionid=of-another-site; Path=/", "csrftoken=of-another-site; Path=/")
NGINX = """\
daemon off; pid {folder}/nginx.pid; error_log {folder}/error.log; worker_processes 1;
events {{}}
http {{
  access_log off;
  client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
  server {{
    listen 127.0.0.1:{port};
    location /restyle/ {{ proxy_pass http://127.0.0.1:{behind}/; proxy_set_header Host $http_host; }}
    location / {{ {cookies} return 200 "another site"; }}
  }}
}}
"""


@contextmanager
def proxy(behind: int, folder: Path) -> Iterator[str]:
    """Its address, before the site on the port `behind`."""
    port, program = free_port(), shutil.which("nginx")
    with _nginx(program, port, behind, folder) if program else _of_python(port, behind):
        yield f"http://127.0.0.1:{port}"


@contextmanager
def _nginx(program: str, port: int, behind: int, folder: Path) -> Iterator[None]:
    cookies = " ".join(f'add_header Set-Cookie "{one}";' for one in FOREIGN)
    file = folder / "nginx.conf"
    file.write_text(NGINX.format(folder=folder, port=port, behind=behind, cookies=cookies))
    process = subprocess.Popen([program, "-c", str(file), "-e", str(folder / "error.log"), "-g", "user root;"])
    try:
        wait_until(
            lambda: process.poll() is not None or _listens(port),
            lambda: f"nginx did not answer: {(folder / 'error.log').read_text()}",
        )
        assert process.poll() is None, (folder / "error.log").read_text()
        yield
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait()


@contextmanager
def _of_python(port: int, behind: int) -> Iterator[None]:
    class Proxy(BaseHTTPRequestHandler):
        def hand_on(self) -> None:
            if not self.path.startswith("/restyle/"):
                self.tell(200, [("Set-Cookie", one) for one in FOREIGN], b"another site")
                return
            site = http.client.HTTPConnection("127.0.0.1", behind)
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            site.request(self.command, self.path.removeprefix("/restyle"), body, dict(self.headers))
            answer = site.getresponse()
            kept = [(name, value) for name, value in answer.getheaders() if name.lower() not in PER_HOP]
            self.tell(answer.status, kept, answer.read())

        def tell(self, status: int, headers: list[tuple[str, str]], body: bytes) -> None:
            self.send_response(status)
            for name, value in (*headers, ("Content-Length", str(len(body)))):
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Tests are quiet."""

        do_GET = do_POST = do_HEAD = do_PUT = do_PATCH = do_DELETE = hand_on  # noqa: N815 (as the library asks)

    server = ThreadingHTTPServer(("127.0.0.1", port), Proxy)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()


PER_HOP = ("connection", "content-length", "transfer-encoding", "keep-alive")


def _listens(port: int) -> bool:
    try:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        connection.request("GET", "/")
        connection.getresponse().read()
    except OSError:
        return False
    return True
