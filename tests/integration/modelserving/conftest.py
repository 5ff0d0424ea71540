import pytest


@pytest.fixture
def environment(_processes_environment: dict[str, str]) -> dict[str, str]:
    """Of real processes beside the tests, on the test's database."""
    return dict(_processes_environment)
