"""The program beside which the package was built, and problems that both solve."""

import os
import pathlib
import subprocess

import pytest

import fcbio

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def program():
    """Run the command line; returns what it printed."""
    path = pathlib.Path(os.environ.get("FCBIO_PROGRAM", pathlib.Path(fcbio.__file__).parents[2] / "fcbio"))
    if not path.exists():
        pytest.fail(f"the program was not built: {path}")

    def run(*arguments, code=0):
        done = subprocess.run([str(path), *map(str, arguments)], capture_output=True, text=True)
        assert done.returncode == code, done.stderr
        return done.stdout

    return run


@pytest.fixture(scope="session")
def root():
    return ROOT
