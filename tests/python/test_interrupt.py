"""Ctrl-C, callbacks and exceptions: what happens while a solve runs without the interpreter's lock."""

import os
import signal
import threading
import time

import numpy as np
import pytest

import fcbio


#: An accuracy that a slow engine does not reach within the time of a test.
UNREACHABLE = {"options": {"engine": "bundle-level"}, "eps_f": 1e-14, "eps_g": 1e-14}


def endless():
    """A problem that is hard for cutting planes."""
    rng = np.random.default_rng(3)
    a = rng.standard_normal((300, 400)) * np.logspace(0, -6, 400)
    return fcbio.Problem(fcbio.L1Norm(), fcbio.Absolute(a, rng.standard_normal(300)), fcbio.Ball(1e3))


def interrupt_once_running(started):
    def send():
        started.wait()
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=send, daemon=True)  # a solve that is refused never starts
    thread.start()
    return thread


@pytest.mark.parametrize("engine", ["bundle-level", "auto"])
def test_ctrl_c_raises_keyboard_interrupt(engine):
    problem = endless()
    started = threading.Event()
    sent = []
    thread = interrupt_once_running(started)
    with pytest.raises(KeyboardInterrupt):
        problem.minimize(
            **{**UNREACHABLE, "options": {"engine": engine}}, callback=lambda p: (started.set(), sent.append(p.nit))
        )
    thread.join()
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_ctrl_c_without_a_callback():
    problem = endless()
    thread = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        problem.minimize(**UNREACHABLE)
    thread.join()


@pytest.mark.parametrize("engine", ["auto", "newton", "quasi-newton", "accelerated", "bundle-level", "low-rank"])
def test_ctrl_c_is_heard_at_once(engine):
    rng = np.random.default_rng(3)
    rows = rng.standard_normal((2000, 1500)) * np.logspace(0, -8, 1500)
    f = fcbio.LeastSquares(rng.standard_normal((300, 1500)), np.ones(300))
    g = fcbio.Logistic(rows, rng.random(2000) < 0.5)
    waited = []
    for _ in range(3):  # the machine may have other things to do
        problem = fcbio.Problem(f, g, fcbio.Ball(1e3))
        sent = []

        def send():
            sent.append(time.perf_counter())
            os.kill(os.getpid(), signal.SIGINT)

        thread = threading.Timer(0.2, send)
        thread.start()
        with pytest.raises(KeyboardInterrupt):
            problem.minimize(eps_f=1e-15, eps_g=1e-15, options={"engine": engine}, refine=np.inf, time_limit=30)
        waited.append(time.perf_counter() - sent[0])
        thread.join()
    assert min(waited) < 0.2


def test_ctrl_c_can_return_the_best_point():
    problem = endless()
    thread = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    thread.start()
    result = problem.minimize(**UNREACHABLE, return_on_interrupt=True)
    thread.join()
    assert result.status == "interrupted" and not result.success
    assert np.isfinite(result.x).all() and np.linalg.norm(result.x) <= 1e3 * (1 + 1e-9)


def test_ctrl_c_within_a_callback_can_return_the_best_point_too():
    def interrupt(progress):
        if progress.nit == 3:
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        endless().minimize(callback=interrupt, **UNREACHABLE)
    result = endless().minimize(callback=interrupt, **UNREACHABLE, return_on_interrupt=True)
    assert result.status == "interrupted" and result.nit == 3


def test_a_handler_of_the_user_is_heard():
    heard = []
    former = signal.signal(signal.SIGINT, lambda *_: heard.append(1))
    try:
        thread = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
        thread.start()
        result = endless().minimize(**UNREACHABLE)
        thread.join()
    finally:
        signal.signal(signal.SIGINT, former)
    assert heard == [1] and result.status == "interrupted"


class Mine(Exception):
    pass


def test_exception_of_a_callback_arrives_unchanged():
    mine = Mine("from the callback")

    def fail(progress):
        raise mine

    with pytest.raises(Mine) as caught:
        endless().minimize(callback=fail)
    assert caught.value is mine


@pytest.mark.parametrize("after", [0, 3])
def test_exception_of_a_function_arrives_unchanged(after):
    mine = Mine("from the function")
    calls = []

    def fun(x):
        calls.append(1)
        if len(calls) > after:
            raise mine
        return 0.5 * x @ x, x

    with pytest.raises(Mine) as caught:
        fcbio.minimize(
            fcbio.UserFunction(fun, smoothness=1.0), fcbio.LeastSquares([[1.0, 1.0]], [1.0]), fcbio.Ball(10.0)
        )
    assert caught.value is mine


def test_exception_of_a_set_and_of_an_operator_arrive_unchanged():
    mine = Mine()

    def fail(x):
        raise mine

    f, g = fcbio.SquaredNorm(), fcbio.LeastSquares([[1.0, 1.0]], [1.0])
    with pytest.raises(Mine):
        fcbio.minimize(f, g, fcbio.UserSet(fail, center=[0.0, 0.0], radius=1.0))

    class Map:
        shape, dtype = (2, 2), np.dtype(float)
        broken = False

        def matvec(self, x):
            if self.broken:
                raise mine
            return x

        rmatvec = matvec

    linear = Map()
    g = fcbio.LeastSquares(fcbio.operator(linear, norm=1.0), [1.0, 1.0])
    linear.broken = True
    with pytest.raises(Mine):
        fcbio.minimize(f, g, fcbio.Ball(10.0))
    linear.broken = False
    assert fcbio.minimize(f, g, fcbio.Ball(10.0)).status == "certified"


def test_stop_iteration_stops():
    def stop(progress):
        if progress.nit >= 2:
            raise StopIteration

    result = endless().minimize(callback=stop, **UNREACHABLE)
    assert result.status == "interrupted" and result.nit == 2


def test_callback_sees_the_run():
    seen = []
    problem = fcbio.catalogue("min-norm")
    result = problem.minimize(callback=seen.append, options={"engine": "accelerated"})
    assert [p.nit for p in seen] == list(range(1, result.nit + 1))
    assert all(p.x.shape == (problem.dimension,) for p in seen)
    assert seen[-1].passes <= result.passes and "Progress(" in repr(seen[-1])
    plain = fcbio.catalogue("min-norm").minimize(options={"engine": "accelerated"})
    assert np.array_equal(plain.x, result.x)


def test_the_lock_is_released():
    ticks = []
    done = threading.Event()

    def tick():
        while not done.is_set():
            ticks.append(1)
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    before = len(ticks)
    endless().minimize(**UNREACHABLE, time_limit=0.3)
    during = len(ticks) - before
    done.set()
    thread.join()
    assert during > 3


def test_solves_in_several_threads():
    answers = [None] * 4

    def solve(i):
        answers[i] = fcbio.catalogue("min-norm", seed=i + 1).minimize()

    threads = [threading.Thread(target=solve, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for i, answer in enumerate(answers):
        assert np.array_equal(answer.x, fcbio.catalogue("min-norm", seed=i + 1).minimize().x)


@pytest.mark.parametrize(
    "make",
    [
        lambda: fcbio.hard_instance("smooth", 20),
        lambda: fcbio.Problem(
            fcbio.UserFunction(lambda x: (0.5 * x @ x, x), hessp=lambda x, v: v, smoothness=1.0),
            fcbio.LeastSquares(np.ones((1, 3)), [1.0]),
            fcbio.Ball(2.0),
        ),
        lambda: fcbio.catalogue("logistic-min-norm"),
    ],
    ids=["hard", "callables", "data"],
)
def test_one_problem_in_several_threads(make):
    problem = make()
    alone = problem.minimize(max_iterations=50)
    answers = []
    threads = [
        threading.Thread(target=lambda: answers.append(problem.minimize(max_iterations=50))) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(answers) == 4
    assert all(one.status == alone.status and np.array_equal(one.x, alone.x) for one in answers)


def test_a_solve_within_a_callback():
    inner = []

    def callback(progress):
        if not inner:
            inner.append(fcbio.catalogue("min-norm", seed=2).minimize().status)

    assert fcbio.catalogue("min-norm").minimize(callback=callback).status == "certified"
    assert inner == ["certified"]
