"""Code that test modules share, so that none of them imports another."""

from pkgutil import iter_modules

import pytest

# pytest then explains a failed assertion here as it does in a test module.
pytest.register_assert_rewrite(*(module.name for module in iter_modules(__path__, "helpers.")))
