/**
 * Writes doubles as text for CSV exports, equal to `String(x)`, directly as bytes. V8 needs 150 ns for a random double,
 * mostly for multi-word arithmetic and for making a string, and an export of a million rows consists of this. If the
 * product of the number and a power of ten fits two doubles exactly, the shortest digits can be computed from it in a
 * tenth of that time. Numbers close to a rounding decision, and unusual numbers, are left to V8.
 */

/** Powers of ten that doubles represent exactly. */
const POW10 = Array.from({ length: 23 }, (_, power) => Number(`1e${power}`));
const TENS = Float64Array.from(POW10);
/** The powers, each split into two 26-bit halves, whose products with other halves are exact. */
const TENS_HIGH = TENS.map((ten) => upperHalf(ten));
const TENS_LOW = TENS.map((ten, at) => ten - (TENS_HIGH[at] ?? 0));

function upperHalf(value: number): number {
  const spread = 134217729 * value;
  return spread - (spread - value);
}

const scratch = new Float64Array(1);
const words = new Uint32Array(scratch.buffer);
const IS_LITTLE = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;
const HIGH = IS_LITTLE ? 1 : 0;
const LOW = IS_LITTLE ? 0 : 1;

/** 2^exponent halves of a unit in the last place, for the exponents in range. */
const HALF_ULP = Float64Array.from({ length: 96 }, (_, at) => 2 ** (at - 32 - 53));
/** Digits before the point of the largest number with this exponent, and the least number with that many digits. */
const BEFORE = Int8Array.from({ length: 96 }, (_, at) => Math.floor((at - 31) * Math.log10(2)) + 1);
const LEAST = Float64Array.from(BEFORE, (before) => Number(`1e${before - 1}`));

const DIGITS = 17;
/** Results closer than this to a rounding decision are not trusted; the arithmetic error is below 1e-7. */
const DOUBT = 1e-6;

/** Maximum bytes that `writeFloat` needs. */
export const FLOAT_BYTES = 32;

/**
 * Writes a number at `at` of `out`, which has room for FLOAT_BYTES; returns the end position. NaN is `NaN`, infinities
 * are `inf` and `-inf`, which readers of tables understand.
 */
export function writeFloat(out: DataView, at: number, value: number): number {
  // Small enough to be inlined, so that no double is boxed for the call.
  scratch[0] = value;
  return writeHeld(out, at);
}

/** Writes the number in `scratch`. */
function writeHeld(out: DataView, at: number): number {
  const value = scratch[0] as number; // it has one
  let to = at;
  let x = value;
  if (x < 0) {
    out.setUint8(to++, MINUS);
    x = -x;
  }
  // Also false for NaN. The digits of an integer below 2^53 are exact.
  if (x < 9007199254740992 && x === Math.floor(x)) return writeWhole(out, to, x);
  if (x >= 1e-6 && x < 1e15) {
    scratch[0] = x;
    const end = writeShortest(out, to);
    if (end !== -1) return end;
  }
  return writeAscii(out, at, slowText(value));
}

function slowText(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return 'inf';
  if (value === Number.NEGATIVE_INFINITY) return '-inf';
  return String(value);
}

export function writeAscii(out: DataView, at: number, text: string): number {
  for (let index = 0; index < text.length; index += 1) out.setUint8(at + index, text.charCodeAt(index));
  return at + text.length;
}

const ZERO = 48;
const MINUS = 45;
const POINT = 46;

/** Writes an integer from 0 to 2^53. @returns the end position */
export function writeWhole(out: DataView, at: number, value: number): number {
  let to = at;
  let rest = value;
  if (rest >= 1e9) {
    const upper = Math.floor(rest / 1e9);
    to = writeWhole(out, to, upper);
    rest -= upper * 1e9;
    return writePadded(out, to, rest);
  }
  const whole = rest | 0;
  if (whole < 1e4) return writeSmall(out, to, whole);
  const upper = (whole / 1e4) | 0;
  if (upper < 1e4) to = writeSmall(out, to, upper);
  else {
    const first = (upper / 1e4) | 0;
    to = writeSmall(out, to, first);
    writeFour(out, to, upper - first * 1e4);
    to += 4;
  }
  writeFour(out, to, whole - upper * 1e4);
  return to + 4;
}

/** Writes a number below 10,000 without leading zeros; the bytes after it are overwritten later. */
function writeSmall(out: DataView, at: number, number: number): number {
  const count = number < 100 ? (number < 10 ? 1 : 2) : number < 1000 ? 3 : 4;
  out.setUint32(at, (FOUR[number] as number) >>> ((4 - count) * 8), true); // below 10,000
  return at + count;
}

/** Writes the nine digits of a number below 1e9. */
function writePadded(out: DataView, at: number, value: number): number {
  const first = (value / 1e8) | 0;
  const eight = value - first * 1e8;
  const upper = (eight / 1e4) | 0;
  out.setUint8(at, ZERO + first);
  writeFour(out, at + 1, upper);
  writeFour(out, at + 5, eight - upper * 1e4);
  return at + 9;
}

/**
 * Writes the shortest digits of the number in `scratch`, which is positive, in range and not an integer.
 * @returns the end position; -1 if this method cannot compute them
 */
function writeShortest(out: DataView, at: number): number {
  // Every index below is within its table: `?? 0` would make V8 box the doubles.
  const x = scratch[0] as number;
  const high = words[HIGH] as number;
  // The gap below a power of two is half as wide as the one above.
  if ((high & 0xfffff) === 0 && words[LOW] === 0) return -1;
  const exponent = (high >>> 20) - 1023;
  // At most one too high, which is detected in `upper` below.
  const most = BEFORE[exponent + 32] as number;
  const before = x < (LEAST[exponent + 32] as number) ? most - 1 : most;
  const scale = DIGITS - before;
  if (scale < 0 || scale > 22) return -1;
  const ten = TENS[scale] as number;
  // x × 10^scale, exactly, as `product + error` (Dekker).
  const spread = 134217729 * x;
  const xHigh = spread - (spread - x);
  const xLow = x - xHigh;
  const tenHigh = TENS_HIGH[scale] as number;
  const tenLow = TENS_LOW[scale] as number;
  const product = x * ten;
  const error = xHigh * tenHigh - product + xHigh * tenLow + xLow * tenHigh + xLow * tenLow;
  // One too high if the product is near a multiple, which is detected in `lower`; a division costs three times as much.
  let upper = Math.floor(product * 1e-8);
  let lower = product - upper * 1e8 + error;
  if (lower < 0) {
    upper -= 1;
    lower += 1e8;
  } else if (lower >= 1e8) {
    upper += 1;
    lower -= 1e8;
  }
  if (upper < 1e8 || upper >= 1e9) return -1;
  // Any text within half a unit in the last place parses to x: prefer the fewest digits, then the nearest. (Math.round
  // would cost as much as all the rest.)
  const reach = (HALF_ULP[exponent + 32] as number) * ten;
  let digits = DIGITS - 2;
  let candidate = Math.floor(lower * 0.01 + 0.5) * 100;
  let distance = Math.abs(candidate - lower);
  if (Math.abs(distance - reach) < DOUBT) return -1;
  if (distance > reach) {
    digits = DIGITS - 1;
    candidate = Math.floor(lower * 0.1 + 0.5) * 10;
    distance = Math.abs(candidate - lower);
    if (Math.abs(distance - reach) < DOUBT || Math.abs(distance - 5) < DOUBT) return -1;
    if (distance > reach) {
      digits = DIGITS;
      candidate = Math.floor(lower + 0.5);
      if (Math.abs(Math.abs(candidate - lower) - 0.5) < DOUBT) return -1;
    }
  }
  if (candidate >= 1e8) return -1;
  // Passed as integers, which are not boxed.
  return place(out, at, before, digits, upper | 0, candidate | 0);
}

/** Four digits of every number below 10,000, as bytes in the order of a Uint32's shifts. */
const FOUR = Uint32Array.from({ length: 10_000 }, (_, number) => {
  const [a = 0, b = 0, c = 0, d = 0] = Buffer.from(String(number).padStart(4, '0'));
  return a | (b << 8) | (c << 16) | (d << 24);
});

function writeFour(out: DataView, at: number, number: number): void {
  out.setUint32(at, FOUR[number] as number, true); // below 10,000
}

/**
 * Writes the nine digits of `upper` and the eight of `lower` with a point after `before` of them (below 1: zeros after
 * the point), without trailing zeros; all digits after `digits` are zero. The numbers are separate parameters because a
 * record would be allocated a million times.
 */
function place(
  out: DataView,
  at: number,
  before: number,
  digits: number,
  upper: number,
  lower: number,
): number {
  let to = at;
  if (before <= 0) {
    out.setUint8(to++, ZERO);
    out.setUint8(to++, POINT);
    for (let zeros = before; zeros < 0; zeros += 1) out.setUint8(to++, ZERO);
  } else to += 1;
  const start = to;
  const first = (upper / 1e8) | 0;
  const nextEight = upper - first * 1e8;
  const second = (nextEight / 1e4) | 0;
  const third = (lower / 1e4) | 0;
  out.setUint8(start, ZERO + first);
  writeFour(out, start + 1, second);
  writeFour(out, start + 5, nextEight - second * 1e4);
  writeFour(out, start + 9, third);
  writeFour(out, start + 13, lower - third * 1e4);
  let end = start + digits;
  while (out.getUint8(end - 1) === ZERO) end -= 1;
  if (before <= 0) return end;
  for (let index = at; index < at + before; index += 1) out.setUint8(index, out.getUint8(index + 1));
  if (end <= start + before) return at + before;
  out.setUint8(at + before, POINT);
  return end;
}
