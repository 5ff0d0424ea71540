"""People who work over HTTP, of whom a test says how much they may hand in."""

import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

from support.annotators import Annotator, SignedIn
from support.campaigns import PASSWORD
from support.own_site import Site
from support.processes import wait_until

PATIENCE = 240  # seconds


class Crew:
    """People who hand in as many answers as they may, and wait for more."""

    def __init__(self, site: Site, prepared: dict) -> None:
        self.stop, self.may = threading.Event(), threading.Semaphore(0)
        self.people, self.allowed = {}, 0
        for number, (key, email, secret) in enumerate(prepared["people"]):
            place, name = site.launcher.url + prepared["campaign"], f"Person {number}"
            if number % 2:
                self.people[key] = Annotator(place, secret, name, self.stop)
            else:
                self.people[key] = SignedIn(site.launcher.url, place, email, PASSWORD, name, self.stop)

    @contextmanager
    def at_work(self):
        with ThreadPoolExecutor(len(self.people)) as pool:
            self.running = [pool.submit(one.work) for one in map(self._held_back, self.people.values())]
            try:
                yield
            finally:
                self.stop.set()
                self.may.release(len(self.people))
        for one in self.running:
            one.result()

    def _held_back(self, person: Annotator) -> Annotator:
        hand_in = person.hand_in

        def hand_in_when_allowed(work, content):
            self.may.acquire()
            return hand_in(work, content)

        person.hand_in = hand_in_when_allowed
        return person

    def allow(self, count: int) -> None:
        self.allowed += count
        self.may.release(count)

    def wait_for(self, count: int) -> None:
        """Until so many answers are acknowledged."""
        wait_until(lambda: self._failed() or self._acknowledged() >= count, f"{count} answers did not come", PATIENCE)
        assert not self._failed(), [one.exception() for one in self.running if one.done()]

    def _acknowledged(self) -> int:
        return sum(len(person.acknowledged) for person in self.people.values())

    def _failed(self) -> bool:
        return any(one.done() for one in self.running)
