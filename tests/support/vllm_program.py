"""A program with vLLM's command line and protocol, as far as they are used: its answer is the end of the prompt.

    vllm --version
    vllm serve FOLDER --served-model-name NAME --host HOST --port PORT --uvicorn-log-level LEVEL

It is as strict: unknown arguments and fields are refused, and so are requests without the key of VLLM_API_KEY.
`installed` puts it into a folder as `vllm`.
"""

import argparse
import json
import os
import signal
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

FIELDS = {"model", "prompt", "max_tokens", "temperature", "top_p", "seed", "stop_token_ids"}
VERSION = "0.11.2"


def installed(folder: Path) -> Path:
    """Put it there. In the environment VLLM_LOADS has it load for ever, VLLM_REFUSES end before it listens, and
    VLLM_BREAKS at the first prompt."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "vllm"
    path.write_text(f'#!/bin/sh\nexec {sys.executable} {Path(__file__).resolve()} "$@"\n')
    path.chmod(0o755)
    return path


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["content-length"])))
        served: Any = self.server
        if self.headers["authorization"] != f"Bearer {os.environ['VLLM_API_KEY']}":
            self.reply(401, {"error": "Unauthorized"})
        elif self.path != "/v1/completions" or request["model"] != served.name or (odd := set(request) - FIELDS):
            self.reply(400, {"error": f"{self.path} {request['model']} {odd}"})
        elif os.environ.get("VLLM_BREAKS"):
            os._exit(3)
        else:
            texts = [served.tokenizer.decode(ids[-request["max_tokens"] :]) for ids in request["prompt"]]
            choices = [{"index": at, "text": text, "finish_reason": "length"} for at, text in enumerate(texts)]
            self.reply(200, {"object": "text_completion", "model": served.name, "choices": choices[::-1]})

    def reply(self, status: int, what: Any) -> None:
        body = json.dumps(what).encode()
        self.send_response(status)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *given: Any) -> None:
        pass


def main() -> None:
    if sys.argv[1:] == ["--version"]:
        sys.stdout.write(f"{VERSION}\n")
        return
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=["serve"])
    for name in ("model", "--served-model-name", "--host", "--uvicorn-log-level"):
        parser.add_argument(name)
    parser.add_argument("--port", type=int)
    given = parser.parse_args()
    if os.environ.get("VLLM_REFUSES"):
        sys.exit("ValueError: No available memory for the cache blocks.")
    if os.environ.get("VLLM_LOADS"):
        signal.pause()
    from tokenizers import Tokenizer

    server: Any = ThreadingHTTPServer((given.host, given.port), Handler)
    server.name, server.tokenizer = given.served_model_name, Tokenizer.from_file(f"{given.model}/tokenizer.json")
    sys.stderr.write("INFO:     Application startup complete.\n")
    sys.stderr.flush()
    server.serve_forever()


if __name__ == "__main__":
    main()
