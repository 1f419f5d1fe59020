"""What calling from Python costs: SciPy matrices to a certified answer, against the C++ solve of the same data.

    scripts/python bench/python/overhead.py [--data FILE.svm.xz] [--runs N]

The C++ time is that of the call into the library (building and solving), taken in the same process, so that what else
the machine does falls on both; all around it, from SciPy's matrices to the Result, is what Python costs.
`seconds.solve` of `fcbio solve` on the same files stands beside it.  Each is the least of N runs.  Without --data:
synthetic documents.
"""

import argparse
import json
import lzma
import pathlib
import subprocess
import tempfile
import time

import numpy as np

import fcbio

PROGRAM = pathlib.Path(fcbio.__file__).parents[2] / "fcbio"


def documents(path):
    from sklearn.datasets import load_svmlight_file

    with lzma.open(path) if str(path).endswith(".xz") else open(path, "rb") as file:
        rows, labels = load_svmlight_file(file)
    order = np.random.default_rng(1).permutation(rows.shape[0])
    return [(rows[part], labels[part]) for part in (order[5000:10000], order[:5000])]


def synthetic():
    import scipy.sparse

    rng = np.random.default_rng(1)
    columns = np.minimum(rng.zipf(1.3, (10000, 70)), 47000) - 1
    rows = scipy.sparse.csr_matrix(
        (np.ones(columns.size), columns.ravel(), np.arange(0, columns.size + 1, 70)), (10000, 47000)
    )
    rows.sum_duplicates()
    rows = scipy.sparse.csr_matrix(rows.multiply(1.0 / np.sqrt(rows.multiply(rows).sum(axis=1))))
    labels = np.sign(rows @ rng.standard_normal(47000) + 0.01)
    return [(rows[5000:], labels[5000:]), (rows[:5000], labels[:5000])]


arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
arguments.add_argument("--data")
arguments.add_argument("--runs", type=int, default=7)
options = arguments.parse_args()
upper, lower = documents(options.data) if options.data else synthetic()


def functions():
    return fcbio.Logistic(*upper, average=True), fcbio.Logistic(*lower, average=True), fcbio.Ball(300.0)


with tempfile.TemporaryDirectory() as folder:
    fcbio.Problem(*functions()).save(folder)
    for accuracy in (1e-3, 1e-6):
        best = {"program": np.inf, "call": np.inf, "around": np.inf}
        for _ in range(options.runs):
            command = [
                PROGRAM,
                "solve",
                f"{folder}/PROBLEM.toml",
                "-o",
                f"{folder}/r.json",
                "--solution",
                f"{folder}/x.npy",
            ]
            subprocess.run([*command, "--eps-f", str(accuracy), "--eps-g", str(accuracy), "--quiet"], check=True)
            told = json.loads(pathlib.Path(folder, "r.json").read_text())
            asked = fcbio._core.Accuracy(accuracy, accuracy)
            times = [time.perf_counter()]
            problem = fcbio.Problem(*functions())
            times.append(time.perf_counter())
            core = problem._core.solve("fcbio", {}, asked, {}, 1, None, False, True)
            times.append(time.perf_counter())
            result = fcbio.Result(core)
            times.append(time.perf_counter())
            before, call, after = np.diff(times)
            for name, seconds in (("program", told["seconds"]["solve"]), ("call", call), ("around", before + after)):
                best[name] = min(best[name], seconds)
            assert np.array_equal(result.x, np.load(f"{folder}/x.npy")) and result.status == "certified"
        print(
            f"accuracy {accuracy:g}: fcbio solve {1e3 * best['program']:.2f} ms; "
            f"from Python: call {1e3 * best['call']:.2f} ms, "
            f"around it {1e3 * best['around']:.2f} ms: {100 * best['around'] / best['call']:.1f} % more; same bits"
        )
