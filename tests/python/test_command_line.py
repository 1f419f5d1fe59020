"""Results are those of the command line, to the bit, on the same data; files go both ways."""

import json

import numpy as np
import pytest
import scipy.sparse

import fcbio


def read_svm(path, columns):
    """LIBSVM text with indices from 1, by hand: scikit-learn need not be there."""
    labels, starts, indices, values = [], [0], [], []
    for line in path.read_text().splitlines():
        label, *pairs = line.split()
        labels.append(float(label))
        for pair in pairs:
            index, value = pair.split(":")
            indices.append(int(index) - 1)
            values.append(float(value))
        starts.append(len(indices))
    matrix = scipy.sparse.csr_matrix((values, indices, starts), shape=(len(labels), columns))
    return matrix, np.array(labels)


def min_norm(folder):
    a, b = np.load(folder / "lower-0.npy"), np.load(folder / "lower-0.target.npy")
    x0 = np.load(folder / "start.x0.npy")
    return fcbio.SquaredNorm(), fcbio.LeastSquares(a, b), fcbio.Ball(2.0), x0


def documents(folder):
    upper, lower = (read_svm(folder / f"{level}-0.svm", 300) for level in ("upper", "lower"))
    f, g = fcbio.Logistic(*upper, average=True), fcbio.Logistic(*lower, average=True)
    return f, g, fcbio.Ball(300.0), None


def categories(folder):
    g = fcbio.Logistic(*read_svm(folder / "lower-0.svm", 124), average=True)
    return fcbio.SquaredNorm(), g, fcbio.L1Ball(10.0), np.load(folder / "start.x0.npy")


def hinge(folder):
    a, b = np.load(folder / "lower-0.npy"), np.load(folder / "lower-0.target.npy")
    return fcbio.L1Norm(), fcbio.Hinge(a, b, average=True), fcbio.Ball(float(hinge.radius)), None


CASES = {"min-norm": min_norm, "logistic-pair": documents, "logistic-min-norm": categories, "hinge-l1": hinge}


@pytest.mark.parametrize("kind", CASES)
@pytest.mark.parametrize("threads", [1, 2])
def test_same_bits_as_the_command_line(kind, threads, program, tmp_path):
    program("generate", kind, "-o", tmp_path)
    toml = (tmp_path / "PROBLEM.toml").read_text()
    hinge.radius = next(line.split("=")[1] for line in toml.splitlines() if line.startswith("radius"))
    eps = [line.split("=")[1] for line in toml.splitlines() if line.startswith(("upper =", "lower ="))]
    program("solve", tmp_path / "PROBLEM.toml", "-o", tmp_path / "cli.json", "--solution", tmp_path / "cli.npy")
    told = json.loads((tmp_path / "cli.json").read_text())

    *parts, x0 = CASES[kind](tmp_path)
    result = fcbio.minimize(*parts, x0, eps_f=float(eps[0]), eps_g=float(eps[1]), threads=threads)
    assert np.array_equal(result.x, np.load(tmp_path / "cli.npy"))
    assert (result.fun, result.lower_fun) == (told["upper_value"], told["lower_value"])
    assert result.status == told["status"] == "certified"
    for name in ("upper_excess", "lower_gap", "upper_lower_bound", "lower_lower_bound"):
        assert result.certificate[name] == told["certificate"][name]
    assert result.nit == told["work"]["iterations"]
    assert result.passes == told["work"]["upper_passes"] + told["work"]["lower_passes"]
    assert result.engine == told["engine"]

    result.save(tmp_path / "python.json")
    mine = json.loads((tmp_path / "python.json").read_text())
    for one in (told, mine):
        for key in ("seconds", "digest", "x"):
            del one[key]
    assert mine == told
    program("verify", tmp_path / "PROBLEM.toml", tmp_path / "python.json")


@pytest.mark.parametrize(
    "kind", ["min-norm", "logistic-pair", "toy-polygon", "franke-5.3", "phillips", "hinge-documents"]
)
def test_saved_problems_are_the_same_problem(kind, program, tmp_path):
    problem = fcbio.catalogue(kind)
    problem.save(tmp_path / "p", comment="for a test")
    again = fcbio.load_problem(tmp_path / "p" / "PROBLEM.toml")
    assert again.fingerprint == problem.fingerprint
    assert again.dimension == problem.dimension
    x = np.linspace(-1.0, 1.0, problem.dimension)
    assert again.values(x) == problem.values(x)


def test_results_go_both_ways(program, tmp_path):
    problem = fcbio.catalogue("min-norm")
    problem.save(tmp_path)
    result = problem.minimize()
    result.save(tmp_path / "mine.json")
    assert "verified: all" in program("verify", tmp_path / "PROBLEM.toml", tmp_path / "mine.json")
    program("solve", tmp_path / "PROBLEM.toml", "-o", tmp_path / "theirs.json")
    theirs = fcbio.Result.load(tmp_path / "theirs.json")
    assert np.array_equal(theirs.x, result.x) and theirs.status == "certified" and theirs.success
    assert theirs.certificate == result.certificate
    assert fcbio.verify(problem, theirs)
    assert fcbio.verify(tmp_path / "PROBLEM.toml", tmp_path / "theirs.json")


def test_verify_refutes(tmp_path):
    problem = fcbio.catalogue("min-norm")
    problem.minimize().save(tmp_path / "r.json")
    told = json.loads((tmp_path / "r.json").read_text())
    told["certificate"]["lower_gap"] = told["certificate"]["lower_gap"] / 2
    (tmp_path / "r.json").write_text(json.dumps(told))
    report = fcbio.verify(problem, tmp_path / "r.json")
    assert not report and not report.all_hold
    assert "failed" in [line[3] for line in report.lines if line[0] == "lower_gap"]


def test_changed_data_is_found_out():
    a = np.array([[1.0, 1.0, 0.0]])
    result = fcbio.minimize(fcbio.SquaredNorm(), fcbio.LeastSquares(a, [1.0]), fcbio.Ball(5.0))
    assert fcbio.verify(result)
    a[0, 2] = 3.0
    again = fcbio.minimize(fcbio.SquaredNorm(), fcbio.LeastSquares(np.array([[1.0, 1.0, 0.0]]), [1.0]), fcbio.Ball(5.0))
    assert fcbio.verify(again)
    assert not fcbio.verify(fcbio.Problem(fcbio.SquaredNorm(), fcbio.LeastSquares(a, [1.0]), fcbio.Ball(5.0)), again)


def test_options_of_the_problem_file_count(tmp_path):
    problem = fcbio.catalogue("min-norm")
    problem.save(tmp_path)
    text = (tmp_path / "PROBLEM.toml").read_text().replace(
        "1e-06", "1e-03"
    ) + '\n[method]\nname = "fcbio"\nengine = "accelerated"\n'
    (tmp_path / "PROBLEM.toml").write_text(text)
    loaded = fcbio.load_problem(tmp_path / "PROBLEM.toml")
    result = loaded.minimize()
    assert result.accuracy == {"upper": 1e-3, "lower": 1e-3} and result.engine == "accelerated"
    assert loaded.minimize(eps_f=1e-4, options={"engine": "newton"}).engine == "newton"


def test_methods_and_problems_are_those_of_the_program(program):
    listed = program("methods")
    assert all(method["name"] in listed for method in fcbio.methods())
    assert {"name", "summary", "needs", "guarantee", "options"} <= set(fcbio.methods()[0])
    assert all(entry["name"] in program("problems") for entry in fcbio.problems())


def test_compare(tmp_path):
    frame = fcbio.compare(
        fcbio.catalogue("min-norm"),
        ["fcbio", "fbi-pg"],
        max_iterations=200,
        reference_time=1.0,
        report=tmp_path / "c.html",
    )
    assert list(frame.index) == ["fcbio", "fbi-pg"]
    assert frame.loc["fcbio", "status"] == "certified" and frame.loc["fbi-pg", "status"] == "iteration_limit"
    assert frame.attrs["comparison"]["schema"] == 2
    assert "<html" in (tmp_path / "c.html").read_text()
    with pytest.raises(ValueError, match="nonsense"):
        fcbio.compare(fcbio.catalogue("min-norm"), ["nonsense"])


def test_report_page(tmp_path):
    result = fcbio.catalogue("hinge-l1").minimize(eps_f=1e-2, eps_g=1e-2)
    result.report(tmp_path / "page.html", title="a <title>")
    page = (tmp_path / "page.html").read_text()
    assert "<html" in page and "a <title>" not in page and "hinge" in page


@pytest.mark.parametrize("family, distance", [("smooth", 1 / 48), ("lipschitz", 1 / 4)])
def test_hard_instances(family, distance):
    problem = fcbio.hard_instance(family, 10)
    assert problem.dimension == 20 and problem.upper_optimum >= distance
    result = problem.minimize(max_iterations=5, method="a-irg")
    assert result.status == "iteration_limit" and result.fun == 0.0
    with pytest.raises(ValueError, match="cannot be named"):
        problem.fingerprint
    for _ in range(20):  # nobody holds the problem while it is solved
        assert fcbio.hard_instance(family, 10).minimize(max_iterations=5, method="a-irg").fun == 0.0
