"""Two studies of which most tables can be made: one after GYAFC, one after MSD."""

import pytest


@pytest.fixture(scope="session")
def formality():
    from support.records import gyafc_like  # Django is set up by now

    return gyafc_like()


@pytest.fixture(scope="session")
def expertise():
    from support.records import msd_like

    return msd_like()
