"""The gallery: every script runs, what it asserts holds, and there is something on its picture."""

import os
import subprocess
import sys

import matplotlib.image
import nbclient
import nbformat
import numpy as np
import pytest
from conftest import ROOT

GALLERY = ROOT / "examples" / "python"
SCRIPTS = sorted(path.name for path in GALLERY.glob("*.py"))


@pytest.mark.parametrize("name", SCRIPTS)
def test_script(name, tmp_path):
    picture = tmp_path / "picture.png"
    done = subprocess.run(
        [sys.executable, "-W", "error::UserWarning", str(GALLERY / name), str(picture)],
        capture_output=True,
        text=True,
        env={**os.environ, "MPLBACKEND": "Agg"},
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout
    pixels = matplotlib.image.imread(picture)[:, :, :3]
    assert pixels.shape[0] > 300 and np.mean(pixels.min(axis=2) < 0.9) > 0.005


def test_there_are_six():
    assert len(SCRIPTS) == 6


def test_notebook(tmp_path):
    notebook = nbformat.read(GALLERY / "minimum_norm.ipynb", as_version=4)
    assert all(not cell.outputs for cell in notebook.cells if cell.cell_type == "code")  # kept without outputs
    nbclient.NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(tmp_path)}}).execute()
    outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    kinds = {kind for output in outputs for kind in output.get("data", {})}
    assert {"text/html", "image/png"} <= kinds
    assert any("certified" in output["data"].get("text/html", "") for output in outputs if "data" in output)
