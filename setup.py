"""Only so that what is built depends on the sources alone; all else is in pyproject.toml."""

import gzip
import os
import shutil
import tarfile
import time
from pathlib import Path
from typing import Any

from setuptools import setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist

WHEN = int(os.environ.get("SOURCE_DATE_EPOCH", time.time()))


class FreshBuild(build_py):
    """Copies the modules into an empty folder: nothing that an earlier build left there gets into a wheel."""

    def run(self) -> None:
        """As setuptools does, after emptying it."""
        shutil.rmtree(self.build_lib, ignore_errors=True)
        super().run()
        make_plain(self.build_lib)


class PlainWheel(bdist_wheel):
    """Has no permissions that files of the checkout happen to have."""

    def egg2dist(self, egginfo_path: str, distinfo_path: str) -> None:
        """As setuptools does it, the folder of the licence and of what is told of the package."""
        super().egg2dist(egginfo_path, distinfo_path)
        make_plain(distinfo_path)


def make_plain(folder: str) -> None:
    for path in Path(folder).rglob("*"):
        path.chmod(0o755 if path.is_dir() else 0o644)


class SameArchive(sdist):
    """Packs files in the order of their names, all of one owner, with one date."""

    def make_archive(self, base_name: str, format: str, root_dir: Any = None, base_dir: Any = None, **_: Any) -> str:
        """A tar.gz of the folder `base_dir`."""
        name = f"{base_name}.tar.gz"
        with (
            open(name, "wb") as file,
            gzip.GzipFile("", "wb", fileobj=file, mtime=WHEN) as packed,
            tarfile.open(fileobj=packed, mode="w") as archive,
        ):
            for path in sorted(Path(base_dir).rglob("*")):
                archive.add(path, recursive=False, filter=anonymous)
        return name


def anonymous(entry: tarfile.TarInfo) -> tarfile.TarInfo:
    """An entry that tells nothing of who has packed it, and when."""
    runs = entry.isdir() or entry.mode & 0o100
    return entry.replace(mtime=WHEN, mode=0o755 if runs else 0o644, uid=0, gid=0, uname="", gname="", deep=False)


os.umask(0o022)
setup(cmdclass={"build_py": FreshBuild, "bdist_wheel": PlainWheel, "sdist": SameArchive})
