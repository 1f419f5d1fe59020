#!/usr/bin/env python3
"""Draws convergence traces as an SVG, without any library.

    docs/plot_trace.py OUT.svg "LABEL=trace.jsonl" ...

Two panels over the number of passes: the proved lower gap and the proved upper excess of the best point so far, on log axes.
The upper excess is signed; it is drawn as a dot at the bottom edge once it is at or below zero.
"""
import json
import math
import sys

WIDTH, HEIGHT, MARGIN = 420, 300, 52
COLOURS = ["#0b6e99", "#c2571a", "#4d7a21", "#7b4fa0"]


def read(path):
    points = []
    with open(path) as lines:
        for line in lines:
            row = json.loads(line)
            points.append((row["upper_passes"] + row["lower_passes"], row["lower_gap"], row["upper_excess"]))
    return points


def decades(low, high):
    return range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)


def panel(traces, column, title, left, accuracy):
    xs = [p[0] for _, points in traces for p in points if p[0] > 0]
    ys = [p[column] for _, points in traces for p in points if p[column] is not None and p[column] > accuracy / 1000] + [accuracy / 10]
    xd, yd = decades(min(xs), max(xs)), decades(min(ys), max(ys))

    def place(x, y):
        fx = (math.log10(x) - xd[0]) / (xd[-1] - xd[0])
        fy = (math.log10(max(y, 10.0 ** yd[0])) - yd[0]) / (yd[-1] - yd[0])
        return left + MARGIN + fx * (WIDTH - MARGIN - 12), HEIGHT - MARGIN + 8 - fy * (HEIGHT - MARGIN - 30)

    out = [f'<text x="{left + MARGIN}" y="18" font-weight="600">{title}</text>']
    for d in xd:
        x, y = place(10.0 ** d, 10.0 ** yd[0])
        out.append(f'<line x1="{x:.1f}" y1="{y:.1f}" x2="{x:.1f}" y2="30" stroke="#8884" />')
        out.append(f'<text x="{x:.1f}" y="{y + 16:.1f}" text-anchor="middle">1e{d}</text>')
    for d in yd:
        x, y = place(10.0 ** xd[0], 10.0 ** d)
        out.append(f'<line x1="{x:.1f}" y1="{y:.1f}" x2="{left + WIDTH - 12}" y2="{y:.1f}" stroke="#8884" />')
        out.append(f'<text x="{x - 6:.1f}" y="{y + 4:.1f}" text-anchor="end">1e{d}</text>')
    x, y = place(10.0 ** xd[0], accuracy)
    out.append(f'<line x1="{x:.1f}" y1="{y:.1f}" x2="{left + WIDTH - 12}" y2="{y:.1f}" stroke="#555" stroke-dasharray="4 3" />')
    out.append(f'<text x="{left + WIDTH - 14}" y="{y - 4:.1f}" text-anchor="end">asked for</text>')
    out.append(f'<text x="{left + (MARGIN + WIDTH) / 2:.0f}" y="{HEIGHT - 8}" text-anchor="middle">passes over the data</text>')
    for number, (_, points) in enumerate(traces):
        drawn = [place(p[0], p[column]) for p in points if p[0] > 0 and p[column] is not None]
        if drawn:
            path = " ".join(f"{'M' if i == 0 else 'L'}{x:.1f} {y:.1f}" for i, (x, y) in enumerate(drawn))
            out.append(f'<path d="{path}" fill="none" stroke="{COLOURS[number]}" stroke-width="1.8" />')
        if points and points[-1][column] is not None and points[-1][column] <= 0:
            x, y = drawn[-1]
            out.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="{COLOURS[number]}" />')
    return out


def thin(points, most=400):
    """Keeps at most `most` points, evenly spaced in log(passes), and the last."""
    if len(points) <= most:
        return points
    kept, last = [], None
    span = math.log10(max(points[-1][0], 2)) / most
    for p in points:
        if p[0] > 0 and (last is None or math.log10(p[0]) - last > span):
            kept.append(p)
            last = math.log10(p[0])
    return kept + [points[-1]]


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    traces = []
    for argument in sys.argv[2:]:
        label, path = argument.split("=", 1)
        traces.append((label, thin(read(path))))
    accuracy = 1e-6
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {2 * WIDTH} {HEIGHT + 26}" font-family="sans-serif" font-size="11">',
             f'<rect width="{2 * WIDTH}" height="{HEIGHT + 26}" fill="#ffffff" />']
    lines += panel(traces, 1, "lower gap: g(x) - g* is at most", 0, accuracy)
    lines += panel(traces, 2, "upper excess: f(x) - f* is at most", WIDTH, accuracy)
    for number, (label, _) in enumerate(traces):
        x = MARGIN + number * 260
        lines.append(f'<line x1="{x}" y1="{HEIGHT + 10}" x2="{x + 24}" y2="{HEIGHT + 10}" stroke="{COLOURS[number]}" stroke-width="2.5" />')
        lines.append(f'<text x="{x + 30}" y="{HEIGHT + 14}">{label}</text>')
    lines.append("</svg>")
    with open(sys.argv[1], "w") as out:
        out.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
