"""The figure of a prompted run: calls side by side to a server of its own, which answers after a fixed time.

`python -m tools.bench.prompt_figures SECONDS` is the server: it writes its port, and ends with its input.
"""

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from foundation.project import ROOT
from tools.bench import OLDER

if TYPE_CHECKING:
    from accounts.models import Person
    from tools.bench.clock import Took
    from tools.bench.measurement_sizes import Sizes

SIDE_BY_SIDE = 64
SECONDS = 0.1  # that the server takes for an answer: 640 a second are the most
ANSWER = {
    "id": "x", "object": "chat.completion", "created": 1, "model": "bench",
    "choices": [{"index": 0, "message": {"role": "assistant", "content": "You are right."}, "finish_reason": "stop"}],
    "usage": {"prompt_tokens": 60, "completion_tokens": 5},
}  # fmt: skip


async def _answer(seconds: float, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    body = json.dumps(ANSWER).encode()
    head = f"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {len(body)}\r\n\r\n"
    with suppress(asyncio.IncompleteReadError, ConnectionError):
        while True:
            asked = (await reader.readuntil(b"\r\n\r\n")).lower()
            await reader.readexactly(int(asked.partition(b"content-length:")[2].split(b"\r\n")[0]))
            await asyncio.sleep(seconds)
            writer.write(head.encode() + body)
            await writer.drain()
    writer.close()


async def _serve(seconds: float) -> None:
    server = await asyncio.start_server(lambda *both: _answer(seconds, *both), "127.0.0.1", 0, backlog=256)
    print(server.sockets[0].getsockname()[1], flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)


@contextmanager
def answering(seconds: float) -> Iterator[str]:
    """The address of a server in a process of its own."""
    command = [sys.executable, "-m", "tools.bench.prompt_figures", str(seconds)]
    plain = {name: value for name, value in os.environ.items() if name != OLDER}  # it needs no names of before
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=plain, cwd=ROOT
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            yield f"http://127.0.0.1:{process.stdout.readline().strip()}/v1"
        finally:
            process.stdin.close()


def prompting(sizes: "Sizes", by: "Person") -> "dict[str, Took | None]":
    """A run over as many sources as a worker does it, from the row of its job to the last output."""
    from corpora.actions.add_direction import add_direction
    from corpora.actions.add_sources import add_sources
    from corpora.actions.create_study import create_study
    from foundation.errors import UserError
    from jobs.models import Job
    from modelserving.actions.start_training import start_training
    from modelserving.actions.start_transfer import start_transfer
    from modelserving.tasks import train, transfer
    from tools.bench.bench_study import sentences
    from tools.bench.clock import timed

    count = sizes.reported
    study = create_study(slug="bench-prompts", title="Bench prompts", styles=["informal", "formal"], by=by)
    direction = add_direction(study=study, source_style="informal", target_style="formal")
    add_sources(direction=direction, texts=sentences(count, 7))
    with answering(SECONDS) as address:
        os.environ["RESTYLE_LANGUAGE_MODELS"] = f"bench={address}"
        options = {"endpoint": "bench", "model": "bench", "tune_most": 0, "price_input": 1.0, "price_output": 4.0}
        training = start_training(study=study, model="prompted", options=options, send=False, by=by)
        train(training.job_id)
        calls = {"parallel": SIDE_BY_SIDE, "most_cost": 100.0}
        run = start_transfer(
            study=study, checkpoint=training.checkpoints.first(), name="Prompted", settings=calls, by=by
        )
        took = timed(lambda: transfer(run.job_id))
    job = Job.objects.get(pk=run.job_id)
    if job.state != Job.State.DONE or run.system.outputs.count() != count:
        raise UserError("The run ended as {state}: {error}", state=job.state, error=job.error)
    return {f"prompted run of {count:,} sources, {SIDE_BY_SIDE} calls at a time": took._replace(count=count)}


if __name__ == "__main__":
    asyncio.run(_serve(float(sys.argv[1])))
