"""Builds the extension module with CMake; everything else is in pyproject.toml.

FCBIO_BUILD_DIR names a configured build tree to take it from (build/release); without it one is made in
build/wheel-TAG, which takes as long as building the program.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import sysconfig

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = pathlib.Path(__file__).resolve().parent
SUFFIX = sysconfig.get_config_var("EXT_SUFFIX")


class CMakeBuild(build_ext):
    """Lets CMake make the one extension module."""

    def build_extension(self, ext: Extension) -> None:
        given = os.environ.get("FCBIO_BUILD_DIR")
        tree = pathlib.Path(given).resolve() if given else ROOT / "build" / f"wheel-{sys.implementation.cache_tag}"
        if not given:
            configure = ["cmake", "-S", str(ROOT), "-B", str(tree), "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release"]
            configure += ["-DFCBIO_BUILD_TESTS=OFF", "-DFCBIO_BUILD_BENCH=OFF", f"-DFCBIO_PYTHON={sys.executable}"]
            if shutil.which("ccache"):
                configure.append("-DCMAKE_CXX_COMPILER_LAUNCHER=ccache")
            subprocess.run(configure, check=True)
        subprocess.run(["cmake", "--build", str(tree), "--target", "fcbio_python"], check=True)
        made = tree / "python" / "fcbio" / f"_core{SUFFIX}"
        if not made.exists():
            raise RuntimeError(f"{made} was not built: is {tree} for another Python than {sys.version.split()[0]}?")
        target = pathlib.Path(self.get_ext_fullpath(ext.name))
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(made, target)


VERSION = re.search(r"project\(fcbio VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text()).group(1)
setup(version=VERSION, ext_modules=[Extension("fcbio._core", [])], cmdclass={"build_ext": CMakeBuild})
