"""Estimators for scikit-learn: of all fits that are equally good, the one that is best for a second objective."""

from __future__ import annotations

import warnings
from typing import Any, Optional, Sequence

import numpy as np
import scipy.sparse
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state
from sklearn.utils.multiclass import check_classification_targets, type_of_target
from sklearn.utils.validation import check_is_fitted

import fcbio

from ._parts import Function, Set

__all__ = ["BilevelLogisticRegression", "FairClassifier", "MinimumNormRegressor"]


def _validated(estimator: Any, *arrays: Any, **options: Any) -> Any:
    try:
        from sklearn.utils.validation import validate_data
    except ImportError:  # before scikit-learn 1.6
        return estimator._validate_data(*arrays, **options)
    return validate_data(estimator, *arrays, **options)


def _choice(name: str, value: Any, choices: Sequence[str]) -> str:
    if value not in choices:
        raise ValueError(f"{name}: expected one of {', '.join(map(repr, choices))}, found {value!r}")
    return str(value)


class _Linear(BaseEstimator):  # type: ignore[misc]
    """What the estimators share: a linear model whose coefficients solve a bilevel problem."""

    coef_: Any
    intercept_: Any

    def _with_ones(self, X: Any) -> Any:
        return np.hstack([X, np.ones((X.shape[0], 1))]) if self.fit_intercept else X

    def _norm(self, kind: str, features: int) -> Function:
        """Of the coefficients; the intercept is free."""
        classes: Any = fcbio
        if not self.fit_intercept:
            return classes.SquaredNorm() if kind == "l2" else classes.L1Norm()  # type: ignore[no-any-return]
        rows = scipy.sparse.eye(features, features + 1, format="csr")
        loss = classes.LeastSquares if kind == "l2" else classes.Absolute
        return loss(rows, np.zeros(features))  # type: ignore[no-any-return]

    def _solve(self, upper: Function, lower: Function, domain: Set, **options: Any) -> Any:
        asked = {"eps_f": self.eps_f, "eps_g": self.eps_g, "threads": self.threads, "max_passes": self.max_passes}
        result = fcbio.minimize(upper, lower, domain, **{**asked, **options})
        if result.status != "certified":
            warnings.warn(f"{result.status}: {result.message}", ConvergenceWarning, stacklevel=4)
        return result

    def _keep(self, result: Any) -> None:
        self.certificate_ = dict(result.certificate)
        self.status_ = result.status
        self.n_iter_ = max(1, int(result.nit))
        self.upper_value_ = result.fun
        self.lower_value_ = result.lower_fun


class MinimumNormRegressor(RegressorMixin, _Linear):  # type: ignore[misc]
    """Of all coefficients that fit equally well, those of the smallest norm.

    Parameters
    ----------
    loss : {"squared", "huber", "quantile"}
        What is minimised first.
    norm : {"l2", "l1"}
        What is minimised among all minimisers of the loss.
    weights : array_like, shape (n_features,), optional
        Of the coefficients in the norm, greater than 0.
    delta, tau : float
        Of the Huber and the quantile loss.
    fit_intercept : bool
        The intercept does not count in the norm.
    radius : float, optional
        Coefficients (times their weights) are looked for within this norm; without it, a multiple of the norm of a
        least-squares fit.
    eps_f, eps_g : float
        Accuracy in the norm and in the loss (mean over the samples), relative to their scale in the data.
    max_passes : int, optional
        Limit of work.
    threads : int, optional
        The answer is the same to the bit for any number.

    Attributes
    ----------
    coef_, intercept_ : ndarray, float
        The model.
    certificate_ : dict
        What is proved, see :class:`fcbio.Result`; in units of the scaled problem.
    n_iter_ : int
        Iterations.

    Examples
    --------
    >>> import numpy as np
    >>> from fcbio.sklearn import MinimumNormRegressor
    >>> X = np.array([[1.0, 1.0], [2.0, 2.0], [3.0, 3.0]])
    >>> MinimumNormRegressor().fit(X, [2.0, 4.0, 6.0]).coef_.round(2)
    array([1., 1.])
    """

    def __init__(
        self,
        loss: str = "squared",
        norm: str = "l2",
        *,
        weights: Any = None,
        delta: float = 1.0,
        tau: float = 0.5,
        fit_intercept: bool = True,
        radius: Optional[float] = None,
        eps_f: float = 1e-6,
        eps_g: float = 1e-6,
        max_passes: Optional[int] = 200_000,
        threads: Optional[int] = None,
    ) -> None:
        self.loss = loss
        self.norm = norm
        self.weights = weights
        self.delta = delta
        self.tau = tau
        self.fit_intercept = fit_intercept
        self.radius = radius
        self.eps_f = eps_f
        self.eps_g = eps_g
        self.max_passes = max_passes
        self.threads = threads

    def fit(self, X: Any, y: Any) -> "MinimumNormRegressor":
        """Fit the model."""
        X, y = _validated(self, X, y, y_numeric=True, dtype=np.float64)
        y = np.asarray(y, dtype=np.float64)
        loss = _choice("loss", self.loss, ("squared", "huber", "quantile"))
        kind = _choice("norm", self.norm, ("l2", "l1"))
        scale = np.ones(X.shape[1])
        if self.weights is not None:
            given = np.asarray(self.weights, dtype=np.float64)
            if given.shape != scale.shape or not (np.isfinite(given) & (given > 0)).all():
                raise ValueError(f"weights: expected {len(scale)} numbers > 0, found {self.weights!r}")
            scale = np.sqrt(given) if kind == "l2" else given

        # Centred and brought to unit size, so that the accuracy means the same for all data.
        center = X.mean(axis=0) if self.fit_intercept else np.zeros(X.shape[1])
        shift = float(y.mean()) if self.fit_intercept else 0.0
        A = (X - center) / scale
        size = float(np.sqrt(np.mean(A**2) * A.shape[1])) or 1.0
        unit = float(np.sqrt(np.mean((y - shift) ** 2))) or 1.0
        A, b = A / size, (y - shift) / unit
        least = np.linalg.lstsq(A, b, rcond=None)[0]
        within = max(1.0, 4.0 * float(np.abs(least).sum()))
        if self.radius is not None:
            within = float(self.radius) * size / unit

        classes: Any = fcbio
        free = self.fit_intercept and loss != "squared"  # of the centred data the best intercept is 0 for squares
        data = np.hstack([A, np.ones((len(b), 1))]) if free else A
        if loss == "squared":
            lower = classes.LeastSquares(data, b, average=True)
        elif loss == "huber":
            lower = classes.Huber(data, b, average=True, delta=float(self.delta) / unit)
        else:
            lower = classes.Quantile(data, b, average=True, tau=self.tau)
        if free:
            upper = self._norm(kind, A.shape[1])
        else:
            upper = classes.SquaredNorm() if kind == "l2" else classes.L1Norm()
        result = self._solve(upper, lower, classes.Ball(within))
        z = result.x[: A.shape[1]]
        self.coef_ = z * unit / (size * scale)
        offset = float(result.x[-1]) * unit if free else 0.0
        self.intercept_ = shift + offset - float(center @ self.coef_)
        self._keep(result)
        return self

    def predict(self, X: Any) -> Any:
        """Predict with the linear model."""
        check_is_fitted(self)
        X = _validated(self, X, reset=False, dtype=np.float64)
        return X @ self.coef_ + self.intercept_


class _LinearClassifier(ClassifierMixin, _Linear):  # type: ignore[misc]
    """A linear score whose sign is the class."""

    classes_: Any

    def _more_tags(self) -> dict[str, bool]:
        return {"binary_only": True}

    def __sklearn_tags__(self) -> Any:  # from scikit-learn 1.6 on
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags

    def _read(self, X: Any, y: Any) -> tuple[Any, Any]:
        X, y = _validated(self, X, y, dtype=np.float64)
        check_classification_targets(y)
        kind = type_of_target(y)
        if kind != "binary":
            raise ValueError(f"Only binary classification is supported. The type of the target is {kind}.")
        self.classes_, codes = np.unique(y, return_inverse=True)
        if len(self.classes_) < 2:
            raise ValueError(f"y: expected two classes, found one class: {self.classes_[0]!r}")
        return X, 2.0 * codes - 1.0

    def _take(self, x: Any) -> None:
        self.coef_ = (x[:-1] if self.fit_intercept else x).reshape(1, -1)
        self.intercept_ = np.array([x[-1] if self.fit_intercept else 0.0])

    def decision_function(self, X: Any) -> Any:
        """Return the scores; positive for the second class."""
        check_is_fitted(self)
        X = _validated(self, X, reset=False, dtype=np.float64)
        return X @ self.coef_[0] + self.intercept_[0]

    def predict(self, X: Any) -> Any:
        """Predict classes."""
        scores = self.decision_function(X)
        return self.classes_[(scores > 0).astype(int)]

    def predict_proba(self, X: Any) -> Any:
        """Return the probabilities of both classes under the logistic model."""
        scores = self.decision_function(X)
        positive = np.exp(-np.logaddexp(0.0, -scores))
        return np.column_stack([1.0 - positive, positive])


class BilevelLogisticRegression(_LinearClassifier):
    """Of all minimisers of the training loss, the one with the least validation loss, norm, or l1 norm.

    Parameters
    ----------
    upper : {"l2", "l1", "validation"}
        What is minimised among the minimisers of the mean logistic loss.
    radius : float
        Coefficients and intercept lie in a ball of this radius.
    validation_fraction : float
        Part of the samples held out for upper = "validation".
    fit_intercept : bool
        The intercept does not count in the norms.
    random_state : int, optional
        Of the split.
    eps_f, eps_g, max_passes, threads
        As of :func:`fcbio.minimize`.

    Attributes
    ----------
    coef_, intercept_ : ndarray
        The model.
    certificate_ : dict
        What is proved, see :class:`fcbio.Result`.
    n_iter_ : int
        Iterations.

    Examples
    --------
    >>> import numpy as np
    >>> from fcbio.sklearn import BilevelLogisticRegression
    >>> X = np.array([[-2.0], [-1.0], [1.0], [2.0]])
    >>> BilevelLogisticRegression().fit(X, ["no", "no", "yes", "yes"]).predict([[-3.0], [3.0]]).tolist()
    ['no', 'yes']
    """

    def __init__(
        self,
        upper: str = "l2",
        *,
        radius: float = 10.0,
        validation_fraction: float = 0.2,
        fit_intercept: bool = True,
        random_state: Any = None,
        eps_f: float = 1e-4,
        eps_g: float = 1e-4,
        max_passes: Optional[int] = 100_000,
        threads: Optional[int] = None,
    ) -> None:
        self.upper = upper
        self.radius = radius
        self.validation_fraction = validation_fraction
        self.fit_intercept = fit_intercept
        self.random_state = random_state
        self.eps_f = eps_f
        self.eps_g = eps_g
        self.max_passes = max_passes
        self.threads = threads

    def fit(self, X: Any, y: Any) -> "BilevelLogisticRegression":
        """Fit the model."""
        X, labels = self._read(X, y)
        kind = _choice("upper", self.upper, ("l2", "l1", "validation"))
        data = self._with_ones(X)
        classes: Any = fcbio
        if kind == "validation":
            fraction = self.validation_fraction
            if not 0.0 < fraction < 1.0:
                raise ValueError(f"validation_fraction: expected a number between 0 and 1, found {fraction!r}")
            order = check_random_state(self.random_state).permutation(len(labels))
            held = min(max(1, round(fraction * len(labels))), len(labels) - 1)
            out, rest = order[:held], order[held:]
            upper = classes.Logistic(data[out], labels[out], average=True)
            lower = classes.Logistic(data[rest], labels[rest], average=True)
        else:
            upper = self._norm(kind, X.shape[1])
            lower = classes.Logistic(data, labels, average=True)
        result = self._solve(upper, lower, classes.Ball(self.radius))
        self._take(result.x)
        self._keep(result)
        return self


class FairClassifier(_LinearClassifier):
    """Of all near-minimisers of the training loss, the one whose scores depend least on a sensitive feature.

    Unfairness is half the squared covariance of the score and the sensitive feature, over the samples: convex.

    Parameters
    ----------
    sensitive_feature : int or str
        Column of X, by number or name.
    slack : float
        How much worse than the best the mean logistic loss may be.
    tradeoff : sequence of float
        Further slacks for which the least unfairness is found, for `tradeoff_`.
    radius : float
        Coefficients and intercept lie in a ball of this radius.
    fit_intercept : bool
        Whether there is an intercept.
    eps_f : float
        Accuracy in the unfairness.
    max_passes, threads
        As of :func:`fcbio.minimize`.

    Attributes
    ----------
    coef_, intercept_ : ndarray
        The model.
    unfairness_ : float
        Half the squared covariance.
    tradeoff_ : list of dict
        slack, unfairness and loss, by increasing slack.
    certificate_ : dict
        What is proved, see :class:`fcbio.Result`.
    n_iter_ : int
        Iterations.

    Examples
    --------
    >>> import numpy as np
    >>> from fcbio.sklearn import FairClassifier
    >>> X = np.array([[-1.0, -2.0], [-1.0, 1.0], [1.0, -1.0], [1.0, 2.0]])
    >>> model = FairClassifier(0, slack=0.1, tradeoff=[0.01]).fit(X, [0, 1, 0, 1])
    >>> [point["slack"] for point in model.tradeoff_]
    [0.01, 0.1]
    >>> model.predict([[1.0, -3.0], [-1.0, 3.0]]).tolist()
    [0, 1]
    """

    def __init__(
        self,
        sensitive_feature: Any = 0,
        *,
        slack: float = 1e-2,
        tradeoff: Sequence[float] = (),
        radius: float = 10.0,
        fit_intercept: bool = True,
        eps_f: float = 1e-4,
        max_passes: Optional[int] = 100_000,
        threads: Optional[int] = None,
    ) -> None:
        self.sensitive_feature = sensitive_feature
        self.slack = slack
        self.tradeoff = tradeoff
        self.radius = radius
        self.fit_intercept = fit_intercept
        self.eps_f = eps_f
        self.max_passes = max_passes
        self.threads = threads

    def _column(self, features: int) -> int:
        wanted = self.sensitive_feature
        if isinstance(wanted, str):
            names = list(getattr(self, "feature_names_in_", []))
            if wanted not in names:
                raise ValueError(f"sensitive_feature: expected one of the columns {names}, found {wanted!r}")
            return names.index(wanted)
        if isinstance(wanted, bool) or not isinstance(wanted, (int, np.integer)) or not 0 <= wanted < features:
            raise ValueError(f"sensitive_feature: expected a column from 0 to {features - 1}, found {wanted!r}")
        return int(wanted)

    @property
    def eps_g(self) -> float:
        """Accuracy in the loss: the slack."""
        return self.slack

    def fit(self, X: Any, y: Any) -> "FairClassifier":
        """Fit the model."""
        X, labels = self._read(X, y)
        column = self._column(X.shape[1])
        data = self._with_ones(X)
        sensitive = X[:, column] - X[:, column].mean()
        covariance = (sensitive @ data) / len(labels)
        classes: Any = fcbio
        problem = classes.LeastSquares(covariance.reshape(1, -1), [0.0]), classes.Logistic(data, labels, average=True)
        self.tradeoff_ = []
        chosen = None
        for slack in sorted({float(self.slack), *map(float, self.tradeoff)}):
            result = self._solve(*problem, classes.Ball(self.radius), eps_g=slack, tight=True)
            self.tradeoff_.append({"slack": slack, "unfairness": result.fun, "loss": result.lower_fun})
            if slack == self.slack:
                chosen = result
        assert chosen is not None
        self._take(chosen.x)
        self._keep(chosen)
        self.unfairness_ = chosen.fun
        return self
