"""What metrics are tested on, and snapshots of studies."""

import pytest
from support.metric_inputs import (  # noqa: F401
    _tiny_wordnet,
    amazon,
    asset,
    golden,
    hundred,
    medlane_outputs,
    texts,
    tiny_wordnet,
    uneven,
)


@pytest.fixture(scope="session")
def formality():
    from support.snapshots import gyafc_like  # Django is set up by now

    return gyafc_like()


@pytest.fixture(scope="session")
def expertise():
    from support.snapshots import msd_like

    return msd_like()
