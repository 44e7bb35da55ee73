"""Build commands that make builds reproducible; everything else is configured in pyproject.toml."""

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

BUILD_TIME = int(os.environ.get("SOURCE_DATE_EPOCH", time.time()))


class FreshBuild(build_py):
    """Empties the build folder first, so that no file of an earlier build gets into a wheel."""

    def run(self) -> None:
        """Empty the build folder and build."""
        shutil.rmtree(self.build_lib, ignore_errors=True)
        super().run()
        set_permissions(self.build_lib)


class PlainWheel(bdist_wheel):
    """Gives all files in a wheel standard permissions."""

    def egg2dist(self, egginfo_path: str, distinfo_path: str) -> None:
        """Write the folder of metadata and licence with standard permissions."""
        super().egg2dist(egginfo_path, distinfo_path)
        set_permissions(distinfo_path)


def set_permissions(folder: str) -> None:
    """Set standard permissions on everything in a folder."""
    for path in Path(folder).rglob("*"):
        path.chmod(0o755 if path.is_dir() else 0o644)


class SameArchive(sdist):
    """Packs the source distribution in order of file names, with one owner and one date."""

    def make_archive(self, base_name: str, format: str, root_dir: Any = None, base_dir: Any = None, **_: Any) -> str:
        """Pack the folder `base_dir` as a tar.gz file, and return its name."""
        name = f"{base_name}.tar.gz"
        with (
            open(name, "wb") as file,
            gzip.GzipFile("", "wb", fileobj=file, mtime=BUILD_TIME) as packed,
            tarfile.open(fileobj=packed, mode="w") as archive,
        ):
            for path in sorted(Path(base_dir).rglob("*")):
                archive.add(path, recursive=False, filter=anonymous)
        return name


def anonymous(entry: tarfile.TarInfo) -> tarfile.TarInfo:
    """Return an archive entry with a standard owner, date and permissions."""
    runs = entry.isdir() or entry.mode & 0o100
    return entry.replace(mtime=BUILD_TIME, mode=0o755 if runs else 0o644, uid=0, gid=0, uname="", gname="", deep=False)


os.umask(0o022)
setup(cmdclass={"build_py": FreshBuild, "bdist_wheel": PlainWheel, "sdist": SameArchive})
