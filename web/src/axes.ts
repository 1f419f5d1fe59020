// Axes of the charts, as options for Plot: domains that always have two different ends, ticks at powers of ten.
import type { ScaleOptions } from "@observablehq/plot";
import { format_count, format_number, format_power, powers } from "./numbers";
import { AXIS_LABELS, extent, type Axis } from "./series";

export interface WorkAxis { scale: ScaleOptions; clamp: (x: number) => number }

/** The common axis of the convergence charts. */
export function work_axis(values: Iterable<number>, axis: Axis, logarithmic: boolean, width: number): WorkAxis {
  const all = [...values];
  const span = extent(all) ?? [0, 1];
  const label = AXIS_LABELS[axis];
  const most = width < 420 ? 4 : 7;
  if (!logarithmic) {
    const high = span[1] > 0 ? span[1] : 1;
    return { scale: { type: "linear", domain: [0, high], label, ticks: most, labelAnchor: "center", labelArrow: "none",
      tickFormat: axis === "seconds" ? (x: number) => format_number(x, 3) : format_count }, clamp: (x) => x };
  }
  const positive = extent(all.filter((x) => x > 0)) ?? [1, 10];
  const low = axis === "seconds" ? positive[0] : Math.max(1, positive[0]);
  const high = Math.max(positive[1], low * 10);
  return { scale: { type: "log", domain: [low, high], label, ticks: powers(low, high, most), tickFormat: format_power,
    labelAnchor: "center", labelArrow: "none" }, clamp: (x) => Math.max(x, low) };
}

// Seven decades below what was asked for, nothing matters any more.
const FAR_BELOW = 1e-7;

/** A logarithmic axis; what is not positive, or far below the floor or what was asked for, is drawn at its lower end. */
export function log_axis(values: Iterable<number>, floor: number, asked: number, label: string):
    { scale: ScaleOptions; low: number; high: number } | null {
  const positive: number[] = [];
  let any = false;
  for (const value of values) {
    if (!Number.isFinite(value)) continue;
    any = true;
    if (value > 0) positive.push(value);
  }
  if (!any) return null;
  const span = extent(asked > 0 ? [...positive, asked] : positive) ?? [Math.max(floor, 1e-16), 1];
  const high = span[1] * 2;
  let low = Math.max(span[0] / 2, floor / 10, asked > 0 ? asked * FAR_BELOW : high * 1e-22);
  if (!(low < high / 10)) low = high / 10;
  return { low, high, scale: { type: "log", domain: [low, high], clamp: true, label, labelArrow: "none",
    ticks: powers(low, high, 7), tickFormat: format_power } };
}

/** An axis that is linear near 0 (within `constant`) and logarithmic on both sides of it.  `ends`: the values that
 *  must be told apart from 0, those of the returned points. */
export function signed_axis(values: Iterable<number>, ends: number[], floor: number, asked: number, label: string):
    { scale: ScaleOptions; low: number; high: number; constant: number } | null {
  const span = extent(values);
  if (!span) return null;
  const all = extent([...span, asked, 0]) as [number, number];
  const size = Math.max(-all[0], all[1]) || 1;
  const smallest = Math.min(size, ...ends.map(Math.abs).filter((x) => x > 0)) / 10;
  const constant = Math.max(floor, Math.min(Math.max(smallest, asked / 10), size / 100), size * 1e-14);
  // Both sides are shown, if only a little of one: which side a point lies on is the message.
  const high = Math.max(all[1] * 2, constant * 3), low = Math.min(all[0] * 4, -constant * 3);
  const side = (end: number, other: number): number[] => {
    const decades = Math.log1p(end / constant) / (Math.log1p(end / constant) + Math.log1p(other / constant));
    return powers(Math.min(5 * constant, end), end, Math.max(1, Math.round(8 * decades)));
  };
  const ticks = [...side(-low, high).reverse().map((x) => -x), 0, ...side(high, -low)];
  return { low, high, constant, scale: { type: "symlog", constant, domain: [low, high], clamp: true, label,
    labelArrow: "none", ticks, tickFormat: format_power } };
}
