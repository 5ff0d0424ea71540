"""The command `restyle`: each word is a call of the client. Results go to stdout, all else to stderr.

Exit codes: 0 done, 1 another error, 2 refused by the site or wrongly typed, 3 no token or a wrong one, 4 the site
cannot be reached or failed, 5 a job failed, 6 an import has open questions, 130 Ctrl-C.
"""

import sys
from pathlib import Path
from typing import Any, NoReturn, get_args

import click
from click.shell_completion import CompletionItem, get_completion_class

import restyle
from restyle import Client, OpenQuestions, Patience, Report, RestyleError, Study
from restyle.command_login import login, logout
from restyle.frames import text_table
from restyle.progress import is_watched
from restyle.types import Brought, TrainedModelEnum

COMPLETION = Patience(connect=1, answer=2, tries=1)  # somebody waits with a finger on the tabulator
UNFINISHED = ("queued", "running")


class Pair(click.ParamType[tuple[str, str]]):
    """NAME=VALUE."""

    name = "NAME=VALUE"

    def convert(self, value: Any, param: Any, ctx: Any) -> tuple[str, str]:
        name, sign, rest = (
            str(value).rpartition("=") if param and param.name == "mapping" else str(value).partition("=")
        )
        if not sign or not name:
            self.fail(f"'{value}' is not of the form NAME=VALUE.", param, ctx)
        return name, rest


def complete_study(ctx: click.Context, param: click.Parameter, begun: str) -> list[CompletionItem]:
    """The studies that begin so; none where the site does not answer at once."""
    try:
        with Client(patience=COMPLETION) as client:
            return [CompletionItem(one.slug, help=one.title) for one in client.studies() if one.slug.startswith(begun)]
    except RestyleError:
        return []


def complete_model(ctx: click.Context, param: click.Parameter, begun: str) -> list[CompletionItem]:
    return [CompletionItem(name) for name in get_args(TrainedModelEnum) if name.startswith(begun)]


study_argument = click.argument("study", shell_complete=complete_study)
to_option = click.option("--to", type=click.Path(dir_okay=False, path_type=Path), help="Write into this file.")


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(restyle.__version__, prog_name="restyle")
def commands() -> None:
    """Restyle from a shell: bring a table in, run models, compute the report, take files out."""


commands.add_command(login)
commands.add_command(logout)


@commands.command()
def studies() -> None:
    """List your studies."""
    with Client() as client:
        rows = [{"study": one.slug, "title": one.title, "styles": ", ".join(one.styles)} for one in client.studies()]
    click.echo(text_table(rows) or "There is no study yet.")


@commands.command("import")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@study_argument
@click.option("--create", is_flag=True, help="Make the study first, with --style twice.")
@click.option("--title", help="Of a new study; else its short name.")
@click.option("--style", "styles", multiple=True, help="Of a new study: the source style, then the target style.")
@click.option("--language", default="", help="Of a new study's texts, such as en.")
@click.option("--target", default="texts", show_default=True, help="texts, documents, judgements or scores.")
@click.option("--map", "mapping", type=Pair(), multiple=True, help="COLUMN=MEANING; guessed where none is given.")
@click.option("--answer", "answers", type=Pair(), multiple=True, help="QUESTION=CHOICE, to what the import asks.")
@click.option("--set", "settings", type=Pair(), multiple=True, help="SETTING=VALUE, such as direction=a-b.")
@click.option("--read", "reading", type=Pair(), multiple=True, help="HOW=VALUE, such as delimiter=tab.")
@click.option("--dry-run", is_flag=True, help="Say what would happen; nothing comes in.")
def import_(
    file: Path, study: str, create: bool, title: str | None, styles: tuple[str, ...], language: str, dry_run: bool,
    target: str, answers: tuple[tuple[str, str], ...], **pairs: tuple[tuple[str, str], ...],
) -> None:  # fmt: skip
    """Bring the table FILE into STUDY: all of it, or nothing."""
    given = {name: dict(some) or None for name, some in pairs.items()}
    known = dict(answers)
    with Client() as client:
        if create and len(styles) < 2:
            raise click.UsageError("A new study needs two styles: --style informal --style formal.")
        into = (
            client.create_study(title or study, styles, slug=study, language=language)
            if create
            else client.study(study)
        )
        while True:
            try:
                told = into.import_table(file, target=target, answers=known, dry_run=dry_run, **given)  # type: ignore[arg-type]
                break
            except OpenQuestions as asked:
                if not sys.stdin.isatty():
                    raise
                known |= _answered(asked)
        _tell(told)


def _answered(asked: OpenQuestions) -> dict[str, str]:
    """The choices of the person at the terminal."""
    answers = {}
    for question in asked.questions:
        click.echo(question["sentence"], err=True)
        for value, label in question["choices"].items():
            click.echo(f"  {value}: {label}", err=True)
        answers[question["name"]] = click.prompt("Choice", type=click.Choice(list(question["choices"])), err=True)
    return answers


def _tell(told: Brought) -> None:
    for note in told["notes"]:
        click.echo(note["sentence"], err=True)
    for question in told["questions"]:
        said = question["answer"] or f"open: --answer {question['name']}={'|'.join(question['choices'])}"
        click.echo(f"{question['sentence']} ({said})", err=True)
    if told["brought"]:
        click.echo(told["brought"])
    elif told["nothing"]:
        click.echo(told["nothing"])
    else:
        click.echo(text_table([{"column": name, "meaning": means} for name, means in told["mapping"].items()]))
        click.echo(", ".join(f"{name}: {number}" for name, number in told["numbers"].items()))


@commands.command()
@study_argument
@click.argument("model", shell_complete=complete_model)
@click.option("--name", help="Of the system that gets the outputs; else the model's.")
@click.option("--direction", help="Such as informal-formal; may be left out where there is one.")
@click.option("--split", default="", help="Only the sources of train, tune or test.")
@click.option("--set", "settings", type=Pair(), multiple=True, help="SETTING=VALUE of the model.")
def run(study: str, model: str, name: str | None, direction: str | None, split: str, settings: Any) -> None:
    """Have MODEL, or the checkpoint of that number, rewrite the sources of STUDY."""
    with Client() as client:
        into, chosen = client.study(study), {"checkpoint": int(model)} if model.isdecimal() else {"model": model}
        if direction is None:
            there = [one["name"] for one in into.directions()]
            direction = there[0] if len(there) == 1 else None
        system = into.run(
            **chosen, name=name or model, direction=direction, split=split, settings=dict(settings)
        )  # fmt: skip
        click.echo(f"{system.name}: {system.data['outputs']} outputs")


@commands.command()
@study_argument
@click.option("-m", "--metric", "metrics", multiple=True, help="Choose these metrics; else those that are chosen stay.")
@click.option("--stored", is_flag=True, help="As it was last computed, also where it is out of date.")
@click.option("--format", "form", type=click.Choice(["table", "json", "csv", "markdown", "latex"]), default="table")
@to_option
def report(study: str, metrics: tuple[str, ...], stored: bool, form: str, to: Path | None) -> None:
    """Compute the report of STUDY and print it."""
    with Client() as client:
        of = client.study(study)
        found = of.report(*metrics, compute=not stored)
        if found.out_of_date:
            click.echo("The report is out of date.", err=True)
        if form == "table":
            _put(f"{found}\n".encode(), to)
            _say_undefined(found)
        else:
            _take(of.report_file(form), to)


def _say_undefined(found: Report) -> None:
    """Why numbers are missing, each reason once."""
    reasons = {(one["measure"], one["undefined"]) for one in found.scores if one["value"] is None and one["undefined"]}
    for measure, why in sorted(reasons):
        click.echo(f"{measure}: {why}", err=True)


@commands.command()
@study_argument
@click.argument("file", default="")
@click.option("--format", "form", type=click.Choice(["csv", "tsv", "jsonl"]), default="csv", show_default=True)
@to_option
def export(study: str, file: str, form: str, to: Path | None) -> None:
    """Take FILE (sources, references, outputs, judgements, scores, raters) out of STUDY; without FILE all, as a ZIP."""
    if not file and to is None and sys.stdout.isatty():
        raise click.UsageError("The whole study is a ZIP: say --to FILE, or send it into another program.")
    with Client() as client:
        _take(client.study(study).export(file, form), to)


def _take(found: restyle.Export, to: Path | None) -> None:
    if to is not None:
        click.echo(str(found.save(to)), err=True)
        return
    for chunk in found.chunks():
        sys.stdout.buffer.write(chunk)
    sys.stdout.flush()


def _put(content: bytes, to: Path | None) -> None:
    if to is None:
        sys.stdout.buffer.write(content)
        sys.stdout.flush()
    else:
        to.write_bytes(content)


@commands.command()
@study_argument
@click.argument("job", type=int, required=False)
def watch(study: str, job: int | None) -> None:
    """Follow the unfinished jobs of STUDY, or one, to their ends; exit code 5 where one failed."""
    with Client() as client:
        followed = _followed(client.study(study), job)
        failed = [sentence for one in followed if (sentence := _end_of(one))]
    if not followed:
        click.echo("No job is unfinished.")
    if failed:
        raise SystemExit(restyle.JobFailed.exit_code)


def _followed(study: Study, job: int | None) -> list[restyle.Job]:
    if job is not None:
        return [study.job(job)]
    return [one for one in reversed(study.jobs()) if one.data and one.data["state"] in UNFINISHED]


def _end_of(job: restyle.Job) -> str:
    """Wait for the job; its failure in a sentence, empty where it is done."""
    try:
        done = job.wait(progress=is_watched())
    except restyle.JobFailed as failure:
        click.echo(str(failure), err=True)
        return str(failure)
    click.echo(f"{done['title']}: {done['told'] or done['state']}")
    return ""


@commands.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print what makes SHELL complete: put `eval "$(restyle completion bash)"` into ~/.bashrc."""
    made = get_completion_class(shell)
    assert made is not None
    click.echo(made(commands, {}, "restyle", "_RESTYLE_COMPLETE").source())


@commands.command()
@click.option("--write", is_flag=True, help="Let the assistant make studies and bring tables in.")
def mcp(write: bool) -> None:
    """Serve an assistant that speaks the Model Context Protocol over stdin and stdout. It reads, and nothing else."""
    from restyle.mcp import serve

    with Client() as client:
        serve(client, sys.stdin.buffer, sys.stdout.buffer, write=write)


def main() -> NoReturn:
    """Run the command that was typed."""
    try:
        sys.exit(commands.main(prog_name="restyle", standalone_mode=False) or 0)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except (click.Abort, KeyboardInterrupt):
        click.echo("Stopped. A job that was begun goes on at the site.", err=True)
        sys.exit(130)
    except RestyleError as error:
        click.echo(f"Error: {error}", err=True)
        sys.exit(error.exit_code)


if __name__ == "__main__":
    main()
