"""Memory above the caller's own arrays: a large sparse matrix by rows, by columns and as triples; a large dense array.

    scripts/python bench/python/memory.py [--rows 1000000] [--dense-gb 2] [--form csr]

Each form has a process of its own, whose peak of the resident memory is read from the system (VmHWM, reset before).  A
few passes are made, so that all that a solve needs of the data is there.

Bars: 2.3 times the CSR arrays for CSR; for the dense array nothing worth speaking of.
"""

import argparse
import pathlib
import subprocess
import sys

import numpy as np
import scipy.sparse

import fcbio

COLUMNS = 100_000

arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
arguments.add_argument("--rows", type=int, default=1_000_000)
arguments.add_argument("--per-row", type=int, default=50)
arguments.add_argument("--dense-gb", type=float, default=2.0)
arguments.add_argument("--form", choices=("csr", "csc", "coo", "dense"), help="this one alone")
options = arguments.parse_args()


def resident(field):
    for line in pathlib.Path("/proc/self/status").read_text().splitlines():
        if line.startswith(field):
            return 1024 * int(line.split()[1])
    raise RuntimeError(field)


def peak_of(make):
    """Bytes above what is resident now, at the most, while a problem is made and a few passes are spent."""
    pathlib.Path("/proc/self/clear_refs").write_text("5")  # resets the peak
    before = resident("VmRSS")
    make().minimize(max_passes=20, method="fcbio", eps_f=1e-3, eps_g=1e-3)
    return resident("VmHWM") - before


def sparse(form):
    rng = np.random.default_rng(1)
    indices = np.empty(options.rows * options.per_row, dtype=np.int32)
    step = COLUMNS // options.per_row
    for first in range(0, options.rows, 10_000):  # one column of each stripe: sorted without sorting
        count = min(10_000, options.rows - first)
        block = rng.integers(0, step, (count, options.per_row)) + step * np.arange(options.per_row)
        indices[first * options.per_row : (first + count) * options.per_row] = block.ravel()
    starts = np.arange(0, len(indices) + 1, options.per_row, dtype=np.int32)
    csr = scipy.sparse.csr_matrix((rng.standard_normal(len(indices)), indices, starts), (options.rows, COLUMNS))
    target = np.sign(rng.standard_normal(options.rows))
    size = csr.data.nbytes + csr.indices.nbytes + csr.indptr.nbytes
    numbers = csr.nnz
    matrix = csr.asformat(form)
    del csr, indices, starts
    used = peak_of(
        lambda: fcbio.Problem(fcbio.SquaredNorm(), fcbio.Logistic(matrix, target, average=True), fcbio.Ball(10.0))
    )
    print(
        f"{form} {options.rows} x {COLUMNS}, {numbers:.1e} numbers, CSR arrays of {size / 1e6:.0f} MB: "
        f"{used / 1e6:.0f} MB more than the caller's, {used / size:.2f} times the CSR arrays"
    )


def dense():
    rows = int(options.dense_gb * 1e9 / 8 / 1000)
    array = np.ones((rows, 1000))
    array[:, ::7] = 0.5
    used = peak_of(
        lambda: fcbio.Problem(
            fcbio.SquaredNorm(), fcbio.LeastSquares(array, np.ones(rows), average=True), fcbio.Ball(10.0)
        )
    )
    megabytes = f"{array.nbytes / 1e6:.0f} MB: {used / 1e6:.0f} MB more"
    print(f"dense {rows} x 1000, {megabytes}, {used / array.nbytes:.3f} times")


if options.form == "dense":
    dense()
elif options.form:
    sparse(options.form)
else:
    for form in ("csr", "csc", "coo", "dense"):
        subprocess.run([sys.executable, *sys.argv, "--form", form], check=True)
