"""Only so that nothing an earlier build left in build/ gets into a wheel; all else is in pyproject.toml."""

import shutil

from setuptools import setup
from setuptools.command.build_py import build_py


class FreshBuild(build_py):
    """Copies the modules into an empty folder."""

    def run(self) -> None:
        """As setuptools does, after emptying it."""
        shutil.rmtree(self.build_lib, ignore_errors=True)
        super().run()


setup(cmdclass={"build_py": FreshBuild})
