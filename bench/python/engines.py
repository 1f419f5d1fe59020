"""Which engine is the best on which problem of the catalogue: passes and CPU seconds of each, at the problem's accuracy.

    scripts/python bench/python/engines.py [NAME ...] [--passes N] [--seconds S]

An engine that does not fit the problem, or does not certify it within the limits, has a dash.  At the end: on how many
problems each engine that is not the choice of `auto` takes less than half of its passes, or of its seconds.
"""

import argparse
import time

import fcbio

ENGINES = ("auto", "interior-point", "bundle-level", "race", "accelerated", "level")

arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
arguments.add_argument("names", nargs="*", metavar="NAME", help="problems; all of the catalogue without any")
arguments.add_argument("--passes", type=int, default=100_000, help="of one solve, at most")
arguments.add_argument("--seconds", type=float, default=20.0, help="of one solve, at most")
options = arguments.parse_args()


def cases():
    for entry in fcbio.problems():
        if not options.names or entry["name"] in options.names:
            yield entry["name"], {}
    for name, parameters in (("logistic-repeated", {"norm": "l1"}), ("min-norm-collinear", {"set": "ball"})):
        if not options.names or name in options.names:
            yield name, parameters


def run(problem, engine):
    begun = time.process_time()
    try:
        result = problem.minimize(
            options={"engine": engine}, threads=1, max_passes=options.passes, time_limit=options.seconds
        )
    except ValueError:
        return None
    if result.status != "certified":
        return None
    return result.passes or result.nit, time.process_time() - begun, result.engine


wins = {engine: [] for engine in ENGINES}
print(f"{'problem':34}" + "".join(f"{engine:>24}" for engine in ENGINES) + "   choice")
for name, parameters in cases():
    problem = fcbio.catalogue(name, **parameters)
    found = {engine: run(problem, engine) for engine in ENGINES}
    words = name + "".join(f" {key}={value}" for key, value in parameters.items())
    cells = "".join(f"{one[0]:>12d}{one[1]:>10.3f} s" if one else f"{'-':>24}" for one in found.values())
    print(f"{words:34}{cells}   {found['auto'][2] if found['auto'] else '-'}", flush=True)
    if found["auto"]:
        for engine in ENGINES[1:]:
            one = found[engine]
            if one and one[2] != found["auto"][2] and min(one[0] / found["auto"][0], one[1] / found["auto"][1]) < 0.5:
                wins[engine].append(words)
for engine in ENGINES[1:]:
    print(f"{engine}: less than half of the choice's passes or seconds on {len(wins[engine])}: {', '.join(wins[engine])}")
