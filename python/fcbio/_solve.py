"""Problems, solving and results."""

from __future__ import annotations

import html
import json
import os
import threading
from typing import Any, Callable, Iterator, Mapping, Optional, Union

import numpy as np

from . import _core
from ._convert import Array, as_callable, as_count, as_flag, as_number, as_text, as_vector, found
from ._parts import Function, Set, as_function, as_set

PathLike = Union[str, "os.PathLike[str]"]
Trace = dict[str, Array]


class Progress:
    """What a callback is told: ``phase, round, nit, passes, seconds, fun, lower_fun, level, bracket_low,
    bracket_high, upper_excess, lower_gap, x``.  Numbers that are not known yet are NaN."""

    phase: str
    round: int
    nit: int
    passes: int
    seconds: float
    fun: float
    lower_fun: float
    level: float
    bracket_low: float
    bracket_high: float
    upper_excess: float
    lower_gap: float
    x: Optional[Array]

    def __init__(self, moment: Mapping[str, Any]) -> None:
        self.__dict__.update(moment)

    def __repr__(self) -> str:
        return (
            f"Progress(nit={self.nit}, passes={self.passes}, fun={self.fun:.6g}, lower_fun={self.lower_fun:.6g}, "
            f"upper_excess={self.upper_excess:.3g}, lower_gap={self.lower_gap:.3g})"
        )


class Verification:
    """What the independent checker found; true if every claim holds.

    Attributes
    ----------
    all_hold : bool
        No claim failed.
    lines : list of tuple
        (name, claimed, recomputed, outcome, note) of each claim.
    text : str
        The same as a table.
    """

    def __init__(self, told: Mapping[str, Any]) -> None:
        self.all_hold = bool(told["all_hold"])
        self.lines: list[tuple[str, str, str, str, str]] = list(told["lines"])
        self.text = str(told["text"])

    def __bool__(self) -> bool:
        return self.all_hold

    def __repr__(self) -> str:
        return self.text


class Result(dict):  # type: ignore[type-arg]
    """What a solve returns; fields are attributes and keys, as in SciPy's OptimizeResult.

    Attributes
    ----------
    x : ndarray
        The point.
    fun, lower_fun : float
        f(x) and g(x).
    success : bool
        Whether the status is certified or converged.
    status : str
        certified, converged, iteration_limit, time_limit, work_limit, interrupted, stalled, not_finite or
        not_convex.
    message : str
        The status in words, and what to do about it.
    nit, passes : int
        Iterations, and products with the data or its transpose.
    certificate : dict
        What is proved, with the names of result.json: upper_excess bounds f(x) - f*, lower_gap bounds g(x) - g*;
        None: not known.
    engine, method : str
        What ran.
    trace : dict of ndarray
        The history: nit, passes, seconds, fun, lower_fun, bracket_low, bracket_high, upper_excess, lower_gap.
    seconds : float
        Of solving.
    accuracy, options, work : dict
        What was asked for, the options used, the work in detail.
    """

    x: Array
    fun: float
    lower_fun: float
    success: bool
    status: str
    message: str
    nit: int
    passes: int
    certificate: dict[str, Any]
    engine: str
    method: str
    trace: Trace
    seconds: float
    accuracy: dict[str, Any]
    options: dict[str, str]
    work: dict[str, int]

    def __init__(self, core: Any) -> None:
        fields = core.fields()
        fields["success"] = fields["status"] in ("certified", "converged")
        super().__init__(fields)
        object.__setattr__(self, "_core", core)

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None

    def __setattr__(self, name: str, value: Any) -> None:
        self[name] = value

    def __delattr__(self, name: str) -> None:
        del self[name]

    def __dir__(self) -> list[str]:
        return sorted(set(super().__dir__()) | set(self))

    def __reduce__(self) -> Any:
        raise TypeError("a Result cannot be pickled; use Result.save() and Result.load()")

    def _asked(self, level: str) -> str:
        relative = self.accuracy.get(f"{level}_relative")
        absolute = f"asked {self.accuracy[level]:g}"
        if relative is None:
            return absolute
        part = f"{relative:g} of the value"
        return f"asked {part}" if self.accuracy[level] == 0 else f"{absolute}, or {part}"

    def _rows(self) -> list[tuple[str, str]]:
        def number(value: Optional[float], digits: str = ".10g") -> str:
            return "not known" if value is None else format(value, digits)

        known = self.certificate
        return [
            ("status", self.status),
            ("message", self.message),
            ("method", f"{self.method} ({self.engine})" if self.engine else self.method),
            ("fun = f(x)", number(self.fun)),
            ("lower_fun = g(x)", number(self.lower_fun)),
            ("f(x) - f* <=", f"{number(known['upper_excess'], '+.6g')}   ({self._asked('upper')})"),
            ("g(x) - g* <=", f"{number(known['lower_gap'], '+.6g')}   ({self._asked('lower')})"),
            ("evidence", known["evidence"]),
            ("nit", str(self.nit)),
            ("passes", str(self.passes)),
            ("x", np.array2string(self.x, threshold=8, precision=6)),
        ]

    def __repr__(self) -> str:
        return "\n".join(f"{name:>17}: {text}" for name, text in self._rows())

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><th style='text-align:right'>{html.escape(name)}</th>"
            f"<td style='text-align:left'>{html.escape(text)}</td></tr>"
            for name, text in self._rows()
        )
        colour = "#1a7f37" if self.success else "#b35900"
        return (
            f"<div style='border-left:4px solid {colour};padding-left:8px'>"
            f"<b>fcbio: {html.escape(self.status)}</b><table>{rows}</table></div>"
        )

    def save(self, path: PathLike) -> None:
        """Write result.json, with certificate and witness, as ``fcbio solve -o`` does.

        Parameters
        ----------
        path : path
            The file; long vectors go into files beside it.
        """
        self.__dict__["_core"].save(_path("path", path))

    @staticmethod
    def load(path: PathLike) -> "Result":
        """Read a result.json; it has no trace.

        Parameters
        ----------
        path : path
            As :meth:`save` or ``fcbio solve -o`` wrote it.

        Returns
        -------
        Result
            To be looked at, and verified together with its problem.
        """
        return Result(_core.load_result(_path("path", path)))

    def report(self, path: PathLike, title: str = "fcbio") -> None:
        """Write the interactive page of ``fcbio solve --report``.

        Parameters
        ----------
        path : path
            A name ending in .html.
        title : str
            Of the page.
        """
        name = _path("path", path)
        if not name.endswith((".html", ".htm")):
            raise ValueError(f"path: expected a name ending in .html, found {name!r}")
        self.__dict__["_core"].report(name, as_text("title", title))

    def summary(self) -> str:
        """Return what ``fcbio solve`` prints."""
        return str(self.__dict__["_core"].summary())


def _path(name: str, value: Any) -> str:
    if not isinstance(value, (str, os.PathLike)):
        raise TypeError(f"{name}: expected a path, found {found(value)}")
    path = os.fspath(value)
    if not isinstance(path, str):
        raise TypeError(f"{name}: expected a path as text, found {found(path)}")
    if not path or "\0" in path:
        raise ValueError(f"{name}: expected a path, found {path!r}")
    return path


def option_texts(name: str, options: Optional[Mapping[str, Any]]) -> dict[str, str]:
    """Options as the library takes them, as text."""
    if options is None:
        return {}
    if not isinstance(options, Mapping):
        raise TypeError(f"{name}: expected a dict of options, found {found(options)}")
    texts = {}
    for key, value in options.items():
        if not isinstance(key, str):
            raise TypeError(f"{name}: expected names of options, found {found(key)}")
        if isinstance(value, (bool, np.bool_)):
            texts[key] = "true" if value else "false"
        elif isinstance(value, str):
            texts[key] = value
        elif isinstance(value, (int, np.integer)):
            texts[key] = str(int(value))
        else:
            texts[key] = repr(as_number(f"{name}[{key!r}]", value))
    return texts


def limits_of(time_limit: Any, max_iterations: Any, max_passes: Any) -> dict[str, Any]:
    """Limits that are given, checked."""
    limits: dict[str, Any] = {}
    if time_limit is not None:
        limits["seconds"] = as_number("time_limit", time_limit, least=0.0, above=True, finite=False)
    if max_iterations is not None:
        limits["iterations"] = as_count("max_iterations", max_iterations)
    if max_passes is not None:
        limits["passes"] = as_count("max_passes", max_passes)
    return limits


def _as_part(name: str, value: Any) -> float:
    """Return a relative accuracy; None is 0, which asks for nothing."""
    if value is None:
        return 0.0
    part = as_number(name, value, least=0.0, above=True)
    if part >= 1.0:
        raise ValueError(f"{name}: expected a number > 0 and below 1, found {part!r}")
    return part


def _as_accuracy(
    eps_f: Any,
    eps_g: Any,
    tight: Any,
    absolute: Any,
    holder: Any,
    eps_f_relative: Any = None,
    eps_g_relative: Any = None,
) -> Any:
    relative = _as_part("eps_f_relative", eps_f_relative), _as_part("eps_g_relative", eps_g_relative)
    constants = None
    if holder is not None:
        if not isinstance(holder, (list, tuple)) or len(holder) != 3:
            raise TypeError(f"holder: expected (alpha, beta, gradient_bound), found {found(holder)}")
        names = ("alpha", "beta", "gradient_bound")
        constants = tuple(as_number(f"holder {key}", v, least=0.0, above=True) for key, v in zip(names, holder))
    return _core.Accuracy(
        as_number("eps_f", eps_f, least=0.0, above=relative[0] == 0.0),
        as_number("eps_g", eps_g, least=0.0, above=relative[1] == 0.0),
        as_flag("tight", tight),
        as_flag("absolute", absolute),
        constants,
        *relative,
    )


class _Bar:
    """A tqdm bar over the digits still missing in the worse of both gaps."""

    def __init__(self, eps_f: float, eps_g: float) -> None:
        from tqdm.auto import tqdm

        self._asked = (eps_f, eps_g)
        self._bar = tqdm(total=100, unit="%", desc="fcbio", leave=False)
        self._most = 0.0

    def show(self, moment: Mapping[str, Any]) -> None:
        gaps = (moment["upper_excess"], moment["lower_gap"])
        missing = max(
            np.log10(max(gap, asked) / asked) if gap == gap else np.inf for gap, asked in zip(gaps, self._asked)
        )
        if np.isfinite(missing):
            self._most = max(self._most, float(missing))
            done = 100.0 * (1.0 - float(missing) / self._most) if self._most > 0.0 else 100.0
            self._bar.n = max(self._bar.n, round(done))
        self._bar.set_postfix_str(f"{moment['passes']} passes, gaps {gaps[0]:.1e} {gaps[1]:.1e}", refresh=False)
        self._bar.update(0)

    def close(self) -> None:
        self._bar.close()


def is_main_thread() -> bool:
    """Whether signals are handled here."""
    return threading.current_thread() is threading.main_thread()


class Problem:
    """min f(x) subject to x in argmin over Z of g.

    Parameters
    ----------
    upper, lower : Function
        f and g.
    domain : Set
        Z.
    x0 : array_like, optional
        The start; it is projected on Z.  Without it, the projection of 0.

    Examples
    --------
    >>> import fcbio
    >>> problem = fcbio.Problem(fcbio.SquaredNorm(), fcbio.LeastSquares([[1.0, 1.0]], [1.0]), fcbio.Ball(10.0))
    >>> problem.dimension
    2
    >>> problem.minimize().status
    'certified'
    """

    #: What is known about the answer, where the problem comes from the catalogue.
    upper_optimum: Optional[float] = None
    lower_optimum: Optional[float] = None
    solution: Optional[Array] = None

    def __init__(self, upper: Function, lower: Function, domain: Set, x0: Any = None) -> None:
        self._core = _core.Problem(
            list(as_function("upper", upper)._terms),
            list(as_function("lower", lower)._terms),
            as_set("domain", domain)._domain,
            None if x0 is None else as_vector("x0", x0),
            _core.Accuracy(1e-6, 1e-6),
        )

    @classmethod
    def _of(cls, core: Any) -> "Problem":
        made = cls.__new__(cls)
        made._core = core
        return made

    @property
    def dimension(self) -> int:
        """Number of variables."""
        return int(self._core.dimension)

    @property
    def fingerprint(self) -> str:
        """The name of its mathematics, as in result.json."""
        return str(self._core.fingerprint())

    @property
    def notes(self) -> list[str]:
        """What was done to the data: label mappings and the like."""
        return list(self._core.notes())

    def __repr__(self) -> str:
        return "\n".join(f"{name}: {text}" for name, text in self._core.details() if name != "Fingerprint")

    def values(self, x: Any) -> tuple[float, float]:
        """Return f(x) and g(x).

        Parameters
        ----------
        x : array_like, shape (n,)
            A point; it need not be in the domain.

        Returns
        -------
        tuple of float
            f(x) and g(x).
        """
        upper, lower = self._core.values(as_vector("x", x))
        return float(upper), float(lower)

    def save(self, directory: PathLike, comment: str = "") -> None:
        """Write PROBLEM.toml and its data files, which ``fcbio solve`` and :func:`fcbio.load_problem` read.

        Parameters
        ----------
        directory : path
            It is made where it is missing.
        comment : str
            For the top of PROBLEM.toml.
        """
        self._core.save(_path("directory", directory), as_text("comment", comment))

    def minimize(
        self,
        *,
        eps_f: Optional[float] = None,
        eps_g: Optional[float] = None,
        method: Optional[str] = None,
        options: Optional[Mapping[str, Any]] = None,
        callback: Optional[Callable[[Progress], Any]] = None,
        threads: Optional[int] = None,
        time_limit: Optional[float] = None,
        max_passes: Optional[int] = None,
        max_iterations: Optional[int] = None,
        eps_f_relative: Optional[float] = None,
        eps_g_relative: Optional[float] = None,
        refine: Optional[float] = None,
        tight: Optional[bool] = None,
        absolute: Optional[bool] = None,
        holder: Optional[tuple[float, float, float]] = None,
        progress: bool = False,
        return_on_interrupt: bool = False,
    ) -> Result:
        """Solve it; see :func:`fcbio.minimize`.

        What is None is as the problem file says, or the default; of a level, ``eps`` and ``eps_relative`` together take
        the place of what the file says.
        """
        accuracy: dict[str, Any] = {"upper": 1e-6, "lower": 1e-6}
        file_method, texts = "", {}
        if self._core.is_plain:
            accuracy, file_method, texts = self._core.asked()
        name = as_text("method", method) if method is not None else (file_method or "fcbio")
        if name != (file_method or "fcbio"):
            texts = {}
        texts.update(option_texts("options", options))
        if refine is not None:
            texts["refine"] = repr(as_number("refine", refine, least=0.0, finite=False))
        if eps_f is None and eps_f_relative is None:
            eps_f, eps_f_relative = accuracy["upper"], accuracy.get("upper_relative")
        if eps_g is None and eps_g_relative is None:
            eps_g, eps_g_relative = accuracy["lower"], accuracy.get("lower_relative")
        eps_f = 0.0 if eps_f is None else eps_f
        eps_g = 0.0 if eps_g is None else eps_g
        asked = _as_accuracy(
            eps_f,
            eps_g,
            accuracy.get("tight", False) if tight is None else tight,
            accuracy.get("absolute", False) if absolute is None else absolute,
            accuracy.get("holder") if holder is None else holder,
            eps_f_relative,
            eps_g_relative,
        )
        limits = limits_of(time_limit, max_iterations, max_passes)
        count = 1 if threads is None else as_count("threads", threads, most=1024)
        stay = as_flag("return_on_interrupt", return_on_interrupt)
        told = None if callback is None else as_callable("callback", callback)
        bar = None
        if as_flag("progress", progress):
            try:
                bar = _Bar(float(eps_f) or 1e-6, float(eps_g) or 1e-6)
            except ImportError:
                bar = None
        watch: Optional[Callable[[Mapping[str, Any]], None]] = None
        if told is not None or bar is not None:

            def watch(moment: Mapping[str, Any]) -> None:
                if bar is not None:
                    bar.show(moment)
                if told is not None:
                    told(Progress(moment))

        try:
            return Result(self._core.solve(name, texts, asked, limits, count, watch, stay, is_main_thread()))
        finally:
            if bar is not None:
                bar.close()


def minimize(
    upper: Function,
    lower: Function,
    domain: Set,
    x0: Any = None,
    *,
    eps_f: float = 1e-6,
    eps_g: float = 1e-6,
    method: str = "fcbio",
    options: Optional[Mapping[str, Any]] = None,
    callback: Optional[Callable[[Progress], Any]] = None,
    threads: Optional[int] = None,
    time_limit: Optional[float] = None,
    max_passes: Optional[int] = None,
    max_iterations: Optional[int] = None,
    eps_f_relative: Optional[float] = None,
    eps_g_relative: Optional[float] = None,
    refine: Optional[float] = None,
    tight: bool = False,
    absolute: bool = False,
    holder: Optional[tuple[float, float, float]] = None,
    progress: bool = False,
    return_on_interrupt: bool = False,
) -> Result:
    """Among all minimisers of `lower` over `domain`, find the one that minimises `upper`.

    Parameters
    ----------
    upper, lower : Function
        f and g, both convex.
    domain : Set
        Z, closed and convex.
    x0 : array_like, optional
        The start; it is projected on Z.
    eps_f, eps_g : float
        Accuracy: f(x) - f* <= eps_f and g(x) - g* <= eps_g.
    method : str
        ``fcbio.methods()`` lists them.
    options : dict, optional
        Of the method; ``{"engine": "newton"}``, say.
    callback : callable, optional
        Called with a :class:`Progress` after every iteration; raise StopIteration to stop.
    threads : int, optional
        1 without it; the answer is the same to the bit for any number.
    time_limit : float, optional
        Seconds.
    max_passes, max_iterations : int, optional
        Limits of work; a pass is a product with the data or its transpose.
    eps_f_relative, eps_g_relative : float, optional
        Accuracy in units of the answer, below 1: of the larger of abs(f(x)) and abs(f*), and of the same for g.  Of
        the two ways to ask for a level the larger counts; ``eps_f=0`` leaves the relative one alone.
    refine : float, optional
        Once the answer is certified, go on towards the solution itself for at most this many times the work of the
        certificate; 0 stops at the certificate, infinity goes on until f is near f*.  1 without it.
    tight : bool
        Go on until f is nearly the lowest that the slack in g can buy.
    absolute : bool
        Also prove f(x) - f* >= -eps_f; needs an error bound of g, computed (least squares of full rank) or told.
    holder : tuple, optional
        That error bound: (alpha, beta, gradient_bound).
    progress : bool
        Show a bar, where tqdm is installed.
    return_on_interrupt : bool
        Ctrl-C returns the best point with the status ``interrupted`` in place of raising KeyboardInterrupt.

    Returns
    -------
    Result
        With fields as those of scipy.optimize.OptimizeResult, and the certificate.

    Raises
    ------
    ValueError, TypeError
        What was given does not fit; the message names the argument, what was expected and what was found.

    Examples
    --------
    The shortest of all least-squares solutions of two equations in three unknowns:

    >>> import numpy as np, fcbio
    >>> A = np.array([[1.0, 2.0, 0.0], [0.0, 1.0, -1.0]])
    >>> result = fcbio.minimize(fcbio.SquaredNorm(), fcbio.LeastSquares(A, [1.0, 2.0]), fcbio.Ball(10.0))
    >>> result.status
    'certified'
    >>> bool(result.certificate["lower_gap"] <= 1e-6)
    True
    """
    as_text("method", method)
    problem = Problem.__new__(Problem)
    problem._core = _core.Problem(
        list(as_function("upper", upper)._terms),
        list(as_function("lower", lower)._terms),
        as_set("domain", domain)._domain,
        None if x0 is None else as_vector("x0", x0),
        _as_accuracy(eps_f, eps_g, tight, absolute, holder, eps_f_relative, eps_g_relative),
    )
    return problem.minimize(
        eps_f=eps_f,
        eps_g=eps_g,
        method=method,
        options=options,
        callback=callback,
        threads=threads,
        time_limit=time_limit,
        max_passes=max_passes,
        max_iterations=max_iterations,
        eps_f_relative=eps_f_relative,
        eps_g_relative=eps_g_relative,
        refine=refine,
        tight=tight,
        absolute=absolute,
        holder=holder,
        progress=progress,
        return_on_interrupt=return_on_interrupt,
    )


def load_problem(path: PathLike) -> Problem:
    """Read a problem file and the data files it names.

    Parameters
    ----------
    path : path
        A PROBLEM.toml.

    Returns
    -------
    Problem
        With the accuracy, the method and the options of the file, which count where `minimize` is not told others.

    Examples
    --------
    >>> import fcbio, os, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     fcbio.catalogue("min-norm", rows=10, columns=20).save(folder)
    ...     problem = fcbio.load_problem(os.path.join(folder, "PROBLEM.toml"))
    >>> problem.dimension
    20
    """
    return Problem._of(_core.load_problem(_path("path", path)))


def verify(problem: Union[Problem, PathLike, Result], result: Union[Result, PathLike, None] = None) -> Verification:
    """Recompute every claim of a result with code that shares nothing with the solver.

    Parameters
    ----------
    problem : Problem, path or Result
        A problem or its file; or a result of :func:`minimize` alone, which knows its problem.
    result : Result or path
        A result or its file.

    Returns
    -------
    Verification
        True if every claim holds; its text is the table that ``fcbio verify`` prints.

    Examples
    --------
    >>> import fcbio
    >>> result = fcbio.minimize(fcbio.SquaredNorm(), fcbio.LeastSquares([[1.0, 1.0]], [1.0]), fcbio.Ball(10.0))
    >>> bool(fcbio.verify(result))
    True
    """
    if isinstance(problem, Result) and result is None:
        answer = problem.__dict__["_core"]
        if answer.problem is None:
            raise ValueError("problem: expected the problem of a result that was read from a file, found None")
        return Verification(_core.verify(answer.problem, answer))
    if not isinstance(problem, Problem):
        problem = load_problem(problem)
    if not isinstance(result, Result):
        result = Result.load(result)  # type: ignore[arg-type]
    return Verification(_core.verify(problem._core, result.__dict__["_core"]))


class Comparison:
    """What :func:`compare` returns.

    Attributes
    ----------
    data : dict
        compare.json, as ``fcbio compare -o`` writes it.
    """

    def __init__(self, data: dict[str, Any]) -> None:
        self.data = data

    def _runs(self) -> Iterator[dict[str, Any]]:
        for run in self.data["runs"]:
            yield {
                "name": run["name"],
                "status": run["status"],
                "nit": run["work"]["iterations"],
                "passes": run["work"]["upper_passes"] + run["work"]["lower_passes"],
                "seconds": run["work"]["seconds"],
                "fun": run["upper_value"],
                "lower_fun": run["lower_value"],
                "upper_difference": run["upper_difference"],
                "lower_difference": run["lower_difference"],
            }

    def rows(self) -> list[dict[str, Any]]:
        """Return one dict for each method."""
        return list(self._runs())

    def frame(self) -> Any:
        """Return a pandas frame, one row for each method."""
        import pandas

        return pandas.DataFrame(self.rows()).set_index("name")

    def __repr__(self) -> str:
        lines = [f"{'method':<16}{'status':<17}{'passes':>9}{'f - f*':>12}{'g - g*':>12}"]
        for row in self.rows():
            gaps = [
                f"{row[key]:>12.2e}" if row[key] is not None else f"{'-':>12}"
                for key in ("upper_difference", "lower_difference")
            ]
            lines.append(f"{row['name']:<16}{row['status']:<17}{row['passes']:>9}{gaps[0]}{gaps[1]}")
        return "\n".join(lines)


def compare(
    problem: Problem,
    methods: Union[str, list[str]] = "all",
    *,
    eps_f: float = 1e-6,
    eps_g: float = 1e-6,
    time_limit: Optional[float] = None,
    max_passes: Optional[int] = None,
    max_iterations: Optional[int] = None,
    reference_time: float = 60.0,
    threads: Optional[int] = None,
    report: Optional[PathLike] = None,
) -> Any:
    """Run several methods on one problem, from the same start with the same limits.

    Parameters
    ----------
    problem : Problem
        What all of them solve.
    methods : str or list of str
        Names of methods, or "all": those that the problem fits.
    eps_f, eps_g : float
        The accuracy that is asked of all.
    time_limit, max_passes, max_iterations : optional
        Limits of each; without any, ten seconds.
    reference_time : float
        Seconds for the bounds of f* and g* that the answers are compared with.
    threads : int, optional
        1 without it.
    report : path, optional
        Where to write the page of ``fcbio compare --report``.

    Returns
    -------
    pandas.DataFrame or Comparison
        One row for each method; a Comparison where pandas is not installed.  ``frame.attrs["comparison"]`` is
        compare.json.

    Examples
    --------
    >>> import fcbio
    >>> problem = fcbio.catalogue("min-norm", rows=10, columns=20)
    >>> frame = fcbio.compare(problem, ["fcbio", "fbi-pg"], max_iterations=100, reference_time=1.0)
    >>> [row["name"] for row in frame.attrs["comparison"]["runs"]]
    ['fcbio', 'fbi-pg']
    """
    if not isinstance(problem, Problem):
        raise TypeError(f"problem: expected a Problem, found {found(problem)}")
    names = methods if isinstance(methods, str) else ",".join(as_text("methods", one) for one in methods)
    limits = limits_of(time_limit, max_iterations, max_passes)
    text = _core.compare(
        problem._core,
        names,
        as_number("eps_f", eps_f, least=0.0, above=True),
        as_number("eps_g", eps_g, least=0.0, above=True),
        limits or {"seconds": 10.0},
        as_number("reference_time", reference_time, least=0.0, above=True),
        1 if threads is None else as_count("threads", threads, most=1024),
        None if report is None else _path("report", report),
        is_main_thread(),
    )
    comparison = Comparison(json.loads(text))
    try:
        frame = comparison.frame()
    except ImportError:
        return comparison
    frame.attrs["comparison"] = comparison.data
    return frame


def methods() -> list[dict[str, Any]]:
    """List the methods: name, summary, needs, guarantee and options of each.

    Returns
    -------
    list of dict
        The default comes first.

    Examples
    --------
    >>> import fcbio
    >>> fcbio.methods()[0]["name"]
    'fcbio'
    """
    return list(_core.methods())


def problems() -> list[dict[str, Any]]:
    """List the built-in problems: name, summary, answer, size and parameters of each.

    Returns
    -------
    list of dict
        What :func:`fcbio.catalogue` makes.

    Examples
    --------
    >>> import fcbio
    >>> "min-norm" in [problem["name"] for problem in fcbio.problems()]
    True
    """
    return list(_core.problems())


def _known(told: Any) -> Problem:
    core, upper, lower, solution = told
    problem = Problem._of(core)
    problem.upper_optimum, problem.lower_optimum, problem.solution = upper, lower, solution
    return problem


def catalogue(name: str, *, seed: int = 1, **parameters: Any) -> Problem:
    """Make a built-in problem; ``fcbio.problems()`` lists them with their parameters.

    Parameters
    ----------
    name : str
        Its name.
    seed : int
        Of what is random in it.
    **parameters
        Its own.

    Returns
    -------
    Problem
        With `upper_optimum`, `lower_optimum` and `solution` as far as they are known.

    Examples
    --------
    >>> import fcbio
    >>> problem = fcbio.catalogue("min-norm", rows=10, columns=20)
    >>> bool(abs(problem.minimize().fun - problem.upper_optimum) < 0.1)
    True
    """
    texts = option_texts("parameters", parameters)
    return _known(_core.catalogue(as_text("name", name), texts, as_count("seed", seed, least=0)))


def hard_instance(family: str, queries: int = 100) -> Problem:
    """Make an instance on which f cannot be found within so many gradients of g.

    Parameters
    ----------
    family : {"smooth", "lipschitz"}
        What g is.
    queries : int
        The number of gradients; there are twice as many variables.

    Returns
    -------
    Problem
        Of callables: it can be solved, but neither saved nor verified.

    Examples
    --------
    >>> import fcbio
    >>> fcbio.hard_instance("smooth", 10).minimize(method="a-irg", max_iterations=5).fun
    0.0
    """
    return _known(_core.hard_instance(as_text("family", family), as_count("queries", queries, most=1000000)))
