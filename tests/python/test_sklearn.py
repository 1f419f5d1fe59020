"""The estimators: scikit-learn's own checks, and that they do what they are for."""

import warnings

import numpy as np
import pytest

from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.utils.estimator_checks import parametrize_with_checks

from fcbio.sklearn import BilevelLogisticRegression, FairClassifier, MinimumNormRegressor


@parametrize_with_checks(
    [
        MinimumNormRegressor(),
        MinimumNormRegressor("huber", "l1", eps_f=1e-2, eps_g=1e-2),
        MinimumNormRegressor("quantile", eps_f=1e-2, eps_g=1e-2),
        MinimumNormRegressor(norm="l1", fit_intercept=False),
        BilevelLogisticRegression(),
        BilevelLogisticRegression("l1", eps_f=1e-2, eps_g=1e-2),
        BilevelLogisticRegression("validation", random_state=0, eps_f=1e-2, eps_g=1e-2),
        FairClassifier(),
    ]
)
def test_checks_of_scikit_learn(estimator, check):
    check(estimator)


def wide(rows=20, columns=50, seed=0):
    rng = np.random.default_rng(seed)
    return rng.standard_normal((rows, columns)), rng.standard_normal(rows)


def test_minimum_norm_is_that_of_the_pseudoinverse():
    X, y = wide()
    model = MinimumNormRegressor(fit_intercept=False, eps_f=1e-9, eps_g=1e-12).fit(X, y)
    assert model.status_ == "certified"
    assert np.allclose(model.coef_, np.linalg.pinv(X) @ y, atol=1e-4)
    centred = MinimumNormRegressor(eps_f=1e-9, eps_g=1e-12).fit(X + 3.0, y + 7.0)
    exact = np.linalg.pinv(X - X.mean(axis=0)) @ (y - y.mean())
    assert np.allclose(centred.coef_, exact, atol=1e-4)
    assert np.allclose(centred.predict(X + 3.0), y + 7.0, atol=1e-3)


def test_l1_is_sparser_and_weights_steer():
    X, y = wide()
    ridge = MinimumNormRegressor().fit(X, y)
    lasso = MinimumNormRegressor(norm="l1", eps_f=1e-4, eps_g=1e-8).fit(X, y)
    count = lambda model: int((np.abs(model.coef_) > 1e-3).sum())
    assert count(lasso) <= 25 < count(ridge)
    weights = np.ones(50)
    weights[:25] = 100.0
    steered = MinimumNormRegressor(weights=weights).fit(X, y)
    assert np.abs(steered.coef_[:25]).sum() < 0.2 * np.abs(ridge.coef_[:25]).sum()
    assert np.allclose(steered.predict(X), y, atol=0.05)
    with pytest.raises(ValueError, match="weights"):
        MinimumNormRegressor(weights=[1.0]).fit(X, y)


def test_quantile_fits_the_quantile():
    rng = np.random.default_rng(2)
    X = rng.standard_normal((200, 2))
    y = X @ [1.0, -1.0] + rng.exponential(size=200)
    model = MinimumNormRegressor("quantile", tau=0.8, eps_f=1e-2, eps_g=1e-4).fit(X, y)
    assert abs(np.mean(y <= model.predict(X)) - 0.8) < 0.04


def test_logistic_beats_its_rivals_in_the_upper_objective():
    X, y = make_classification(120, 40, n_informative=5, random_state=3)
    y = y[:30]
    X = X[:30]
    norm = BilevelLogisticRegression(radius=5.0, eps_f=1e-5, eps_g=1e-5).fit(X, y)
    l1 = BilevelLogisticRegression("l1", radius=5.0, eps_f=1e-3, eps_g=1e-4).fit(X, y)
    assert norm.status_ == l1.status_ == "certified"
    assert norm.score(X, y) == l1.score(X, y) == 1.0
    assert norm.predict_proba(X).sum(axis=1) == pytest.approx(1.0)


def test_validation_split_is_repeatable():
    X, y = make_classification(100, 150, n_informative=5, random_state=3)
    models = [
        BilevelLogisticRegression("validation", random_state=seed, eps_f=1e-3, eps_g=1e-3).fit(X, y)
        for seed in (1, 1, 2)
    ]
    assert np.array_equal(models[0].coef_, models[1].coef_)
    assert not np.array_equal(models[0].coef_, models[2].coef_)


def biased(seed=4):
    rng = np.random.default_rng(seed)
    group = np.sign(rng.standard_normal(400))
    merit = rng.standard_normal((400, 3))
    X = np.column_stack([group, merit + 0.7 * group[:, None]])
    y = (merit.sum(axis=1) + 1.5 * group + 0.5 * rng.standard_normal(400) > 0).astype(int)
    return X, y


def test_fairness_is_bought_with_slack():
    X, y = biased()
    fair = FairClassifier(0, slack=0.05, tradeoff=(1e-3, 1e-2, 0.2), eps_f=1e-5).fit(X, y)
    slacks = [point["slack"] for point in fair.tradeoff_]
    unfairness = [point["unfairness"] for point in fair.tradeoff_]
    assert slacks == sorted(slacks) and len(slacks) == 4
    assert all(a >= b for a, b in zip(unfairness, unfairness[1:]))
    plain = LogisticRegression(C=1e3).fit(X, y)
    spread = lambda model: abs(np.cov(model.decision_function(X), X[:, 0])[0, 1])
    assert spread(fair) < 0.7 * spread(plain)
    assert fair.unfairness_ == pytest.approx(0.5 * (399 / 400 * spread(fair)) ** 2, rel=1e-6)
    assert fair.score(X, y) > 0.75


def test_feature_names_and_search():
    import pandas

    X, y = biased()
    frame = pandas.DataFrame(X, columns=["group", "a", "b", "c"])
    fair = FairClassifier("group", slack=0.05).fit(frame, y)
    assert list(fair.feature_names_in_) == ["group", "a", "b", "c"]
    assert np.array_equal(fair.coef_, FairClassifier(0, slack=0.05).fit(X, y).coef_)
    with pytest.raises(ValueError, match="sensitive_feature"):
        FairClassifier("grupo").fit(frame, y)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        search = GridSearchCV(BilevelLogisticRegression(eps_f=1e-2, eps_g=1e-2), {"radius": [0.1, 5.0]}, cv=2).fit(
            frame, y
        )
    assert search.best_params_["radius"] in (0.1, 5.0)
