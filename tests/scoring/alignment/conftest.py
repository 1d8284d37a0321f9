"""Both implementations of the aligners, for tests of either."""

from types import ModuleType

import pytest

from scoring.alignment import kernel, plain


@pytest.fixture(params=[kernel, plain], ids=["kernel", "plain"], scope="session")
def module(request: pytest.FixtureRequest) -> ModuleType:
    chosen: ModuleType = request.param
    return chosen
