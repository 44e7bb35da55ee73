"""Code shared by test modules. Test modules import from here, never from each other."""

from pkgutil import iter_modules

import pytest

# With this, pytest explains failed assertions in these modules as it does in test modules.
pytest.register_assert_rewrite(*(module.name for module in iter_modules(__path__, "helpers.")))
