"""fcbio beside HiGHS and cvxopt, in one run, on one thread: CPU seconds of the solves alone, and the bars.

    bench/against [NAME ...] [--data FOLDER] [--seconds S] [--programmes N] [--first-seed K]

Two levels are hard for tools that know one: they solve g first and then f with g held.  Times of fcbio are those of
fcbio.Problem and its minimize, Python's part included; of the others, of their solvers alone.  Every answer of fcbio is
certified and goes through fcbio.verify.  Short solves are repeated, and the mean counts.

Bars: at most 3 times the fastest other tool where n <= 100, faster than all of them where n >= 1000; numbers of passes
and seconds where a row has its own.  Only tools that reached the same answer count: where fcbio's is certified and
another's f or g is off by more than 1e-5, that one is told with what it is off by, and sets no bar.  Then N random
lexicographic linear programmes (all certified, in at most 3 times the seconds of HiGHS twice), N/4 empty ones and N/4
that fall without end (all refused, with the reason).
"""

import os

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(name, "1")

import argparse
import sys
import time

import fcbio
import problems
import programmes
import tools

SMALL, LARGE, MOST_TIMES = 100, 1000, 3.0
NEAR = 1e-5  # relative: other tools must agree with certified f and g, or their time says nothing
COUNTS = {True: 0, False: 0}


def verdict(met):
    COUNTS[bool(met)] += 1
    return "met" if met else "MISSED"


def relative(found, expected):
    return abs(found - expected) / (1.0 + abs(expected))


def solve(make, accuracy, seconds):
    """A tools.Answer, its result, and whether that is certified and verified."""
    kept = {}

    def run():
        begun = time.process_time()
        problem = make()
        result = problem.minimize(eps_f=accuracy, eps_g=accuracy, threads=1, time_limit=seconds)
        spent = time.process_time() - begun
        kept["pair"] = problem, result
        return tools.Answer(spent, result.fun, result.lower_fun)

    answer = tools.mean(run)
    problem, result = kept["pair"]
    good = result.status == "certified" and bool(fcbio.verify(problem, result))
    return answer, result, good


def compare(row, options):
    others = {name: tools.within(options.seconds, function, *rest) for name, function, *rest in row.tools}
    print(row.name)
    solved = [(accuracy, *solve(row.problem, accuracy, options.seconds)) for accuracy in row.accuracies]
    best = next((answer for _, answer, _, good in reversed(solved) if good), None)
    off = {
        name: max(relative(other.upper, best.upper), relative(other.lower, best.lower))
        for name, other in others.items()
        if isinstance(other, tools.Answer) and best is not None
    }
    known = {
        name: other
        for name, other in others.items()
        if isinstance(other, tools.Answer) and off.get(name, 0.0) <= NEAR
    }
    for accuracy, answer, result, good in solved:
        bars = [f"certified and verified: {verdict(good)}"]
        if accuracy == row.accuracies[0]:
            first = answer
            if off and not known:
                bars.append("no other tool reached the answer")
            if known and (row.dimension <= SMALL or row.dimension >= LARGE):
                fastest = min(other.seconds for other in known.values())
                most = MOST_TIMES * fastest if row.dimension <= SMALL else fastest
                bars.append(f"{most:.4f} s: {verdict(good and answer.seconds <= most)}")
            if row.most_passes is not None:
                bars.append(f"{row.most_passes} passes: {verdict(good and result.passes <= row.most_passes)}")
            if row.most_seconds is not None:
                bars.append(f"{row.most_seconds:g} s: {verdict(good and answer.seconds <= row.most_seconds)}")
        words = result.status if good else f"{result.status}, NOT CERTIFIED OR NOT VERIFIED"
        numbers = f"{accuracy:8.0e}{answer.seconds:11.4f} s{result.passes:9d} passes"
        print(f"  {'fcbio':10}{numbers}  {words}; {'; '.join(bars)}")
    for name, other in others.items():
        if isinstance(other, tools.Answer):
            told = off.get(name, 0.0) > NEAR
            words = f"another answer, f and g off by {off[name]:.0e}: sets no bar" if told else ""
            print(f"  {name:18}{other.seconds:11.4f} s{other.seconds / first.seconds:10.2f} times    {words}")
        else:
            print(f"  {name:18}{'':>11}  {other}")
    sys.stdout.flush()


def compare_programmes(count, seconds, first):
    ours = theirs = 0.0
    solved = verified = 0
    for seed in range(first, first + count):
        programme = programmes.solvable(seed)
        answer, result, good = solve(lambda: programmes.problem(programme), 1e-6, seconds)
        ours += answer.seconds
        solved += result.status == "certified"
        verified += good
        if not good:
            print(f"  programme {seed} ({programme.matrix.shape}): {result.status}: {result.message}")
        other = tools.within(seconds, tools.highs, programme)
        if isinstance(other, tools.Answer):
            theirs += other.seconds
        else:
            print(f"  programme {seed}: HiGHS: {other}")
    within = verdict(ours <= MOST_TIMES * theirs)
    print(
        f"{count} random lexicographic linear programmes: {solved} certified, {verified} verified: "
        f"{verdict(verified == count)}; {ours:.2f} s, HiGHS twice {theirs:.2f} s: {within}",
        flush=True,
    )


def refusals(words, make, seeds, radius, needles):
    told = 0
    for seed in seeds:
        try:
            result = programmes.problem(make(seed), radius).minimize(threads=1, time_limit=20.0)
            print(f"  {words} {seed}: {result.status}: {result.message}")
        except ValueError as refusal:
            if any(needle in str(refusal) for needle in needles):
                told += 1
            else:
                print(f"  {words} {seed}: {refusal}")
    count = len(seeds)
    print(f"{count} {words} programmes: {told} refused with the reason: {verdict(told == count)}", flush=True)


def main():
    parser = argparse.ArgumentParser(
        prog="bench/against", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="rows to run, by their beginnings; all, without any")
    parser.add_argument("--data", metavar="FOLDER", help="with a5a.xz and colon-cancer.svm.xz; without: left out")
    parser.add_argument("--seconds", type=float, default=120.0, help="CPU seconds of one solve, at most")
    parser.add_argument("--programmes", type=int, default=200, metavar="N", help="random programmes; 0: none")
    parser.add_argument("--first-seed", type=int, default=0, metavar="K", help="of the random programmes")
    options = parser.parse_args()

    for tool in tools.missing():
        print(f"not installed: {tool}; its rows are left out")
    wanted = [
        make
        for name, make in problems.rows(options.data)
        if not options.names or any(name.startswith(start) for start in options.names)
    ]
    if options.names and not wanted and "programmes" not in options.names:
        parser.error(f"no row is called {', '.join(options.names)}")
    for make in wanted:
        compare(make(), options)
    if options.programmes > 0 and (not options.names or "programmes" in options.names):
        compare_programmes(options.programmes, options.seconds, options.first_seed)
        seeds = range(options.first_seed, options.first_seed + options.programmes // 4)
        refusals("empty", programmes.empty, seeds, 100.0, ["common point"])
        refusals("unbounded", programmes.unbounded, seeds, 100.0, ["falls without end"])
    print(f"{COUNTS[True]} bars met, {COUNTS[False]} missed")


main()
