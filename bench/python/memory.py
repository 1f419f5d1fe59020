"""Memory above the caller's own arrays: a large CSR matrix, and a large dense array.

    scripts/python bench/python/memory.py [--rows 1000000] [--dense-gb 2]

The peak of the resident memory is read from the system (VmHWM, reset before).  A few passes are made, so that all
that a solve needs of the data is there.
"""

import argparse
import pathlib

import numpy as np
import scipy.sparse

import fcbio

arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
arguments.add_argument("--rows", type=int, default=1_000_000)
arguments.add_argument("--per-row", type=int, default=50)
arguments.add_argument("--dense-gb", type=float, default=2.0)
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
    result = make().minimize(max_passes=20, method="fcbio", eps_f=1e-3, eps_g=1e-3)
    return resident("VmHWM") - before, result


columns = 100_000
rng = np.random.default_rng(1)
indices = np.empty(options.rows * options.per_row, dtype=np.int32)
step = columns // options.per_row
for first in range(0, options.rows, 10_000):  # one column of each stripe: sorted without sorting
    count = min(10_000, options.rows - first)
    block = rng.integers(0, step, (count, options.per_row)) + step * np.arange(options.per_row)
    indices[first * options.per_row : (first + count) * options.per_row] = block.ravel()
starts = np.arange(0, len(indices) + 1, options.per_row, dtype=np.int32)
csr = scipy.sparse.csr_matrix((rng.standard_normal(len(indices)), indices, starts), (options.rows, columns))
target = np.sign(rng.standard_normal(options.rows))
size = csr.data.nbytes + csr.indices.nbytes + csr.indptr.nbytes
used, result = peak_of(
    lambda: fcbio.Problem(fcbio.SquaredNorm(), fcbio.Logistic(csr, target, average=True), fcbio.Ball(10.0))
)
print(
    f"CSR {options.rows} x {columns}, {csr.nnz:.1e} numbers, {size / 1e6:.0f} MB: {used / 1e6:.0f} MB more, "
    f"{used / size:.2f} times"
)
del csr, indices, result

rows = int(options.dense_gb * 1e9 / 8 / 1000)
dense = np.ones((rows, 1000))
dense[:, ::7] = 0.5
used, result = peak_of(
    lambda: fcbio.Problem(fcbio.SquaredNorm(), fcbio.LeastSquares(dense, np.ones(rows), average=True), fcbio.Ball(10.0))
)
print(f"dense {rows} x 1000, {dense.nbytes / 1e6:.0f} MB: {used / 1e6:.0f} MB more, {used / dense.nbytes:.3f} times")
