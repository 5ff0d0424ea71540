"""What metrics are tested on, and snapshots of studies."""

import pytest
from support.metric_inputs import _tiny_wordnet, amazon, asset, golden, texts, tiny_wordnet, uneven  # noqa: F401


@pytest.fixture(scope="session")
def formality():
    from support.snapshots import gyafc_like  # Django is set up by now

    return gyafc_like()


@pytest.fixture(scope="session")
def expertise():
    from support.snapshots import msd_like

    return msd_like()
