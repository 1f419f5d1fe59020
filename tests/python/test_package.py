"""The package as such: types, documentation, pictures, and the result as an object."""

import ast
import doctest
import importlib
import inspect
import pathlib
import pickle
import subprocess
import sys

import numpy as np
import pytest

import fcbio

PACKAGE = pathlib.Path(fcbio.__file__).parent


@pytest.mark.parametrize(
    "name", ["fcbio", "fcbio._solve", "fcbio._parts", "fcbio._convert", "fcbio.plot", "fcbio.sklearn"]
)
def test_examples_of_the_documentation(name):
    outcome = doctest.testmod(importlib.import_module(name))
    assert outcome.attempted > 0 and outcome.failed == 0


def test_everything_has_a_documentation_in_numpydoc_form():
    for name in fcbio.__all__:
        thing = getattr(fcbio, name)
        if name == "__version__":
            continue
        text = inspect.getdoc(thing)
        assert text, name
        if name in fcbio._parts.FUNCTION_CLASSES or name in fcbio._parts.SET_CLASSES:
            assert "Parameters\n----------" in text, name
            for parameter in thing.__signature__.parameters:
                assert parameter in text, f"{name}: {parameter}"
            assert "Examples\n--------" in text, name


def public_callables():
    yield from ((name, getattr(fcbio, name)) for name in fcbio.__all__ if inspect.isroutine(getattr(fcbio, name)))
    for owner in (fcbio.Problem, fcbio.Result, fcbio.UserFunction, fcbio.UserSet):
        for name, thing in vars(owner).items():
            if not name.startswith("_") and not isinstance(thing, property):
                yield f"{owner.__name__}.{name}", getattr(owner, name)
    yield from ((f"plot.{name}", getattr(fcbio.plot, name)) for name in ("convergence", "bracket", "tradeoff"))


def test_every_parameter_of_a_function_is_documented():
    checked = 0
    for name, thing in public_callables():
        if not callable(thing):
            continue
        text = inspect.getdoc(thing)
        assert text, name
        if name == "Problem.minimize":  # those of fcbio.minimize
            text += inspect.getdoc(fcbio.minimize)
        parameters = [p for p in inspect.signature(thing).parameters if p not in ("self", "args", "kwargs")]
        if parameters:
            assert "Parameters\n----------" in text, name
        for parameter in parameters:
            assert parameter in text, f"{name}: {parameter}"
        checked += len(parameters)
    assert checked > 60


def test_the_stubs_tell_the_truth():
    tree = ast.parse((PACKAGE / "__init__.pyi").read_text())
    told = {node.name: node.body[0] for node in tree.body if isinstance(node, ast.ClassDef)}
    made = {**fcbio._parts.FUNCTION_CLASSES, **fcbio._parts.SET_CLASSES}
    assert set(told) == set(made)
    for name, init in told.items():
        parameters = made[name].__signature__.parameters.values()
        free = [p.name for p in parameters if p.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD]
        optional = [
            p
            for p in parameters
            if p.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD and p.default is not inspect.Parameter.empty
        ]
        assert [arg.arg for arg in init.args.args] == ["self", *free], name
        assert len(init.args.defaults) == len(optional), name
        assert [arg.arg for arg in init.args.kwonlyargs] == [
            p.name for p in parameters if p.kind is inspect.Parameter.KEYWORD_ONLY
        ], name
    exported = {
        alias.asname or alias.name for node in tree.body if isinstance(node, ast.ImportFrom) for alias in node.names
    }
    assert set(fcbio.__all__) <= exported | set(told)


def test_types(root, tmp_path):
    done = subprocess.run(
        [
            "mypy",
            "--config-file",
            str(root / "pyproject.toml"),
            "--strict",
            "--cache-dir",
            str(tmp_path / "cache"),
            str(root / "python" / "fcbio"),
        ],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    user = tmp_path / "user.py"
    user.write_text(
        "import numpy as np\nimport fcbio\n"
        "result = fcbio.minimize(fcbio.SquaredNorm(), 2 * fcbio.LeastSquares(np.eye(2), [1.0, 2.0]), fcbio.Ball(1.0))\n"
        "value: float = result.fun\nfcbio.Ball('wide')\n"
    )
    done = subprocess.run(
        [
            "mypy",
            "--strict",
            "--cache-dir",
            str(tmp_path / "cache"),
            "--config-file",
            str(root / "pyproject.toml"),
            str(user),
        ],
        capture_output=True,
        text=True,
        env={"MYPYPATH": str(root / "python"), "PATH": "/usr/bin:/bin"},
    )
    assert done.returncode == 1 and done.stdout.count("error:") == 1 and "user.py:5" in done.stdout, done.stdout


def small():
    return fcbio.minimize(fcbio.SquaredNorm(), fcbio.LeastSquares([[1.0, 2.0]], [1.0]), fcbio.Ball(10.0))


def test_a_result_is_like_those_of_scipy():
    result = small()
    for name in (
        "x",
        "fun",
        "lower_fun",
        "success",
        "status",
        "message",
        "nit",
        "passes",
        "certificate",
        "engine",
        "trace",
    ):
        assert result[name] is getattr(result, name)
        assert name in dir(result)
    with pytest.raises(AttributeError):
        result.nonsense
    result.mine = 3
    assert result["mine"] == 3
    assert "certified" in repr(result) and "f(x) - f* <=" in repr(result)
    assert "<table>" in result._repr_html_() and "certified" in result._repr_html_()
    assert "status          certified" in result.summary()
    assert set(result.certificate) == {
        "evidence",
        "upper_excess",
        "lower_gap",
        "upper_lower_bound",
        "lower_lower_bound",
        "shortfall",
    }
    with pytest.raises(TypeError, match="save"):
        pickle.dumps(result)


def test_html_is_escaped():
    result = small()
    result.message = "<script>"
    assert "<script>" not in result._repr_html_()


def test_trace_goes_into_a_frame():
    import pandas

    result = fcbio.catalogue("min-norm").minimize(options={"engine": "accelerated"})
    frame = pandas.DataFrame(result.trace)
    assert len(frame) > 3 and frame["passes"].is_monotonic_increasing
    assert frame["lower_gap"].iloc[-1] <= 1e-6


def test_tight_and_absolute():
    a, b = np.array([[1.0, 2.0]]), [1.0]
    f, g, z = fcbio.SquaredNorm(), fcbio.LeastSquares(a, b), fcbio.Ball(10.0)
    tight = fcbio.minimize(f, g, z, tight=True)
    assert tight.status == "certified" and tight.certificate["tight_excess"] <= 1e-6
    absolute = fcbio.minimize(f, g, z, absolute=True)
    assert absolute.status == "certified" and absolute.certificate["upper_deficit"] <= 1e-6
    assert absolute.fun == pytest.approx(0.1, abs=1e-6)
    assert fcbio.verify(tight) and fcbio.verify(absolute)


def test_relative_accuracies(tmp_path):
    a, b = np.array([[1000.0, 2000.0], [0.0, 1000.0], [1000.0, 0.0]]), [1e6, 2e6, -1e6]
    f, g, z = fcbio.SquaredNorm(), fcbio.LeastSquares(a, b), fcbio.Ball(1e4)
    problem = fcbio.Problem(f, g, z)
    result = problem.minimize(eps_f_relative=1e-3, eps_g_relative=1e-4)
    assert result.status == "certified" and fcbio.verify(result)
    assert result.accuracy["lower_relative"] == 1e-4 and result.accuracy["upper_relative"] == 1e-3
    assert "(asked 0.001 of the value)" in repr(result)
    assert 0.0 <= result.certificate["lower_gap"] <= 1e-4 * result.lower_fun
    assert result.certificate["upper_excess"] <= 1e-3 * result.fun
    result.save(tmp_path / "r.json")
    assert fcbio.verify(problem, tmp_path / "r.json")
    same = fcbio.minimize(f, g, z, eps_f=0, eps_g=0, eps_f_relative=1e-3, eps_g_relative=1e-4)
    assert np.array_equal(same.x, result.x)


def test_refine_goes_on_towards_the_solution():
    problem = fcbio.catalogue("min-norm")
    stopped, refined = problem.minimize(refine=0), problem.minimize(refine=np.inf)
    assert stopped.status == refined.status == "certified"
    assert stopped.passes == stopped.work["certified_after"] <= refined.passes
    assert abs(refined.fun - problem.upper_optimum) < abs(stopped.fun - problem.upper_optimum)
    assert problem.minimize(options={"refine": 0}).passes == stopped.passes


def test_limits():
    problem = fcbio.catalogue("min-norm-gaussian")
    assert problem.minimize(max_passes=10, method="fcbio-sm").status == "work_limit"
    assert problem.minimize(max_iterations=3, method="fcbio-sm").nit == 3
    assert problem.minimize(time_limit=1e-4, method="fcbio-sm").status == "time_limit"


def test_pictures(tmp_path):
    import matplotlib

    matplotlib.use("Agg")
    result = fcbio.catalogue("min-norm").minimize(options={"engine": "accelerated"})
    axes = fcbio.plot.convergence({"a": result, "b": result})
    assert len(axes.get_legend().get_texts()) == 4 and axes.get_yscale() == "log"
    axes.figure.savefig(tmp_path / "convergence.png")
    fcbio.plot.bracket(result).figure.savefig(tmp_path / "bracket.png")
    pairs = fcbio.plot.tradeoff([(3.0, 1.0), (1.0, 2.0)])
    assert pairs.lines[0].get_xydata().tolist() == [[1.0, 2.0], [3.0, 1.0]]
    with pytest.raises(ValueError, match="against"):
        fcbio.plot.convergence(result, against="days")
    with pytest.raises(TypeError, match="result"):
        fcbio.plot.bracket(3)
    result.save(tmp_path / "r.json")
    with pytest.raises(ValueError, match="trace"):
        fcbio.plot.bracket(fcbio.Result.load(tmp_path / "r.json"))


def test_progress_bar(capsys):
    assert fcbio.catalogue("min-norm").minimize(progress=True, options={"engine": "accelerated"}).status == "certified"
    assert "fcbio" in capsys.readouterr().err


def test_import_does_not_load_what_is_not_needed():
    heavy = ("scipy", "sklearn", "pandas", "matplotlib", "tqdm")
    code = f"import sys, fcbio; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_example_of_the_readme(root):
    text = (root / "README.md").read_text()
    code = text.split("```python\n")[1].split("```")[0]
    names = {}
    exec(compile(code, "README.md", "exec"), names)
    assert names["result"].status == "certified"
