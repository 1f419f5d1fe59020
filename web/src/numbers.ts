// Numbers as people read them.

const MINUS = "\u2212";
const SUPERSCRIPTS = "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079";

export const UNKNOWN = "\u2013";

/** 1234.5, 0.04946, 4.499e-7: as many significant digits as asked for; a dash for what is not known. */
export function format_number(value: number | null | undefined, digits = 4): string {
  if (value == null || !Number.isFinite(value)) return UNKNOWN;
  if (value === 0 || Math.abs(value) < 1e-300) return "0";  // what rounding up leaves of 0
  const size = Math.abs(value);
  let text: string;
  if (size >= 1e-3 && size < 10 ** Math.max(digits, 6)) text = String(Number(value.toPrecision(digits)));
  else {
    const [mantissa, exponent] = value.toExponential(digits - 1).split("e") as [string, string];
    text = `${Number(mantissa)}e${exponent.replace("+", "")}`;
  }
  return text.replace(/-/g, MINUS);
}

/** With its sign: an excess may lie on either side of 0. */
export function format_signed(value: number | null | undefined, digits = 4): string {
  const text = format_number(value, digits);
  return value != null && Number.isFinite(value) && value > 0 && text !== "0" ? `+${text}` : text;
}

export function format_count(value: number): string {
  return value.toLocaleString("en-US");
}

export function format_seconds(value: number | null): string {
  if (value == null || !Number.isFinite(value)) return UNKNOWN;
  if (value !== 0 && value < 1e-3) return `${format_number(value * 1e6, 3)} \u00b5s`;
  if (value !== 0 && value < 1) return `${format_number(value * 1e3, 3)} ms`;
  return `${format_number(value, 3)} s`;
}

/** 10 to the k, with a superscript. */
function power_of_ten(exponent: number): string {
  if (exponent === 0) return "1";
  if (exponent === 1) return "10";
  const digits = [...String(Math.abs(exponent))].map((d) => SUPERSCRIPTS[Number(d)]).join("");
  return `10${exponent < 0 ? "\u207b" : ""}${digits}`;
}

/** The label of a tick at 0 or at a power of ten with a sign. */
export function format_power(value: number): string {
  if (value === 0) return "0";
  return (value < 0 ? MINUS : "") + power_of_ten(Math.round(Math.log10(Math.abs(value))));
}

/** Powers of ten in [low, high], at most about `most` of them, evenly spaced. */
export function powers(low: number, high: number, most: number): number[] {
  const first = Math.ceil(Math.log10(low) - 1e-9), last = Math.floor(Math.log10(high) + 1e-9);
  const step = Math.max(1, Math.ceil((last - first + 1) / Math.max(1, most)));
  const ticks: number[] = [];
  for (let k = last; k >= first; k -= step) ticks.push(10 ** k);
  return ticks.reverse();
}
