"""What each test costs: the processor time of the process that runs it and of all that it started.

The clock says how busy the machine is; processor time says how much work a test is. Programs that a test starts (a web
server, workers, a browser) count for the tests that use them. PostgreSQL and Redis belong to the whole run, and count
for none.

`tests/costs.toml` holds a budget for each folder. It is in seconds of the machine that it was written on: a fixed
computation is timed here and there, so that a slow processor has more of them.
"""

import json
import os
import resource
import time
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest
from support.order import is_slow

BUDGETS = Path(__file__).parents[1] / "costs.toml"
TICKS = os.sysconf("SC_CLK_TCK")
MOST_EXPENSIVE = 25
KEY = "processor seconds"  # of a report's `user_properties`
SAMPLES = 5


def children_of(pid: int) -> list[int]:
    """The processes that `pid` started and that live."""
    try:
        tasks = os.listdir(f"/proc/{pid}/task")
        return [int(one) for task in tasks for one in Path(f"/proc/{pid}/task/{task}/children").read_text().split()]
    except OSError:  # it has ended, or this system has no such files
        return []


def descendants(pid: int) -> Iterable[int]:
    """Those, and the ones that they started."""
    for child in children_of(pid):
        yield child
        yield from descendants(child)


def ticks_of(pid: int) -> int:
    """The processor time of a process and of its children that have ended, in ticks of the system's clock."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0
    return sum(map(int, fields[11:15]))  # utime, stime, cutime, cstime


class Spending:
    """What a process has spent with all that it started."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.children: list[int] = []
        self.below = 0  # ticks of what its children started: the processes of a browser, of workers, of a web server

    def seconds(self, looks: bool = True) -> float:
        """Of the processor, so far.

        To look through a browser's processes takes as long as a quick test: with `looks` false they are passed over
        while the children are the same, and what they take meanwhile counts when they are looked at next.
        """
        children = children_of(self.pid)
        if looks or children != self.children:
            self.below = sum(ticks_of(one) for child in children for one in descendants(child))
        self.children = children
        used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
        return sum(one.ru_utime + one.ru_stime for one in used) + (sum(map(ticks_of, children)) + self.below) / TICKS


def spent(pid: int) -> float:
    """The processor seconds so far of a process and of all that it started."""
    return Spending(pid).seconds()


def computation() -> float:
    """Processor seconds of a fixed piece of work, the quickest of several turns."""

    def turn() -> float:
        began = time.process_time()
        sum(len(str(number)) for number in range(200_000))
        return time.process_time() - began

    return min(turn() for _ in range(SAMPLES))


def folder_of(nodeid: str, folders: Iterable[str]) -> str:
    """The innermost of `folders` that the test lies in; '' where none is."""
    return max((folder for folder in folders if nodeid.startswith(folder + "/")), key=len, default="")


def exceeded(costs: Mapping[str, float], budgets: Mapping[str, float], scale: float) -> list[str]:
    """A sentence for each folder whose tests cost more than its budget, in seconds, times `scale`."""
    sums: dict[str, float] = defaultdict(float)
    for nodeid, seconds in costs.items():
        sums[folder_of(nodeid, budgets)] += seconds
    return [
        f"The tests of {folder} took {sums[folder]:.0f} processor seconds; their budget here is {budget * scale:.0f}: "
        "make them lighter, mark `soak` what is said elsewhere, or raise the budget in tests/costs.toml with a reason."
        for folder, budget in budgets.items()
        if sums[folder] > budget * scale
    ]


class Costs:
    """Measures each test where it runs, and tells of them where the run is summed up."""

    def __init__(self) -> None:
        self.before = 0.0
        self.spending = Spending(os.getpid())
        self.costs: dict[str, float] = {}
        self.too_much: list[str] = []

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo):
        report = yield
        if call.when == "teardown":
            now = self.spending.seconds(looks=is_slow(item))
            if now < self.before:  # a process was overlooked that started another one just then: the next test paid it
                now = max(now, self.spending.seconds())
            report.user_properties.append(
                (KEY, max(0.0, now - self.before))
            )  # a program that ends takes its time along
            self.before = now
        return report

    @pytest.hookimpl(trylast=True)
    def pytest_collection_finish(self) -> None:
        self.before = self.spending.seconds()  # what it took to read the tests is no test's

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        for key, seconds in report.user_properties if report.when == "teardown" else ():
            if key == KEY:
                self.costs[report.nodeid] = seconds

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if os.environ.get("RESTYLE_TEST_COSTS"):
            Path(os.environ["RESTYLE_TEST_COSTS"]).write_text(json.dumps(self.costs, indent=0))
        if hasattr(session.config, "workerinput") or not is_whole(session.config) or not BUDGETS.exists():
            return
        written = tomllib.loads(BUDGETS.read_text())
        self.too_much = exceeded(self.costs, written["folders"], computation() / written["computation"])
        if self.too_much and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if len(self.costs) > MOST_EXPENSIVE:
            terminalreporter.section(
                f"the {MOST_EXPENSIVE} most expensive of {len(self.costs)} tests, processor seconds"
            )
            for nodeid in sorted(self.costs, key=self.costs.__getitem__, reverse=True)[:MOST_EXPENSIVE]:
                terminalreporter.write_line(f"{self.costs[nodeid]:7.1f}  {nodeid}")
            terminalreporter.write_line(f"{sum(self.costs.values()):7.1f}  all of them")

    @pytest.hookimpl(trylast=True)
    def pytest_unconfigure(self, config: pytest.Config) -> None:
        """Below the counts, as the last that is printed: "all passed" stands above a run that failed for this."""
        reporter = config.pluginmanager.get_plugin("terminalreporter")
        for sentence in self.too_much if reporter else ():
            reporter.write_line(f"FAILED {sentence}", red=True)


def is_whole(config: pytest.Config) -> bool:
    """Whether all that `make test` runs was asked for, and not a part of it."""
    chosen = config.option.keyword or config.option.markexpr != "not soak"
    return not (chosen or config.args_source is pytest.Config.ArgsSource.ARGS)
