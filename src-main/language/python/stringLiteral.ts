/** Reads and writes Python string literals, for the normal form of a cell's source and for widget declarations. */

/** A string or bytes literal without expressions. */
export interface StringLiteral {
  readonly kind: 'text' | 'bytes';
  /** Code points, or bytes. Not a JavaScript string, because Python does not combine two escaped surrogates. */
  readonly units: readonly number[];
  /** The literal has the prefix `u`, which Python's syntax tree records. */
  readonly marked: boolean;
}

const SIMPLE: Readonly<Record<string, number>> = {
  '\\': 92,
  "'": 39,
  '"': 34,
  a: 7,
  b: 8,
  f: 12,
  n: 10,
  r: 13,
  t: 9,
  v: 11,
};

/**
 * The value of a literal without an `f` or `t` prefix, as Python would compute it.
 * @returns null for an escape that needs the Unicode name table (`\N{..}`) or that Python refuses
 */
export function readStringLiteral(literal: string): StringLiteral | null {
  const match = /^([A-Za-z]*)('''|"""|'|")([\s\S]*)\2$/.exec(literal);
  if (match === null) return null;
  const prefix = (match[1] ?? '').toLowerCase();
  const kind = prefix.includes('b') ? 'bytes' : 'text';
  const units = unitsOf(match[3] ?? '', { kind, raw: prefix.includes('r') });
  return units === null ? null : { kind, units, marked: match[1] === 'u' };
}

function unitsOf(
  body: string,
  { kind, raw }: { readonly kind: StringLiteral['kind']; readonly raw: boolean },
): readonly number[] | null {
  const units: number[] = [];
  let at = 0;
  while (at < body.length) {
    const unit = body.codePointAt(at) ?? 0;
    if (unit !== 92 || raw) {
      if (kind === 'bytes' && unit > 127) return null;
      units.push(unit);
      at += unit > 0xffff ? 2 : 1;
      continue;
    }
    const sequence = escapeAt(body, at + 1, kind);
    if (sequence === null) return null;
    if (sequence.unit !== null) units.push(sequence.unit);
    else if (sequence.keepsBackslash) units.push(92);
    at = sequence.next;
  }
  return units;
}

interface Escape {
  /** Null if the escape produces nothing (a joined line) or only the backslash. */
  readonly unit: number | null;
  readonly keepsBackslash: boolean;
  readonly next: number;
}

/** Reads the escape whose backslash is just before `at`. */
function escapeAt(body: string, at: number, kind: StringLiteral['kind']): Escape | null {
  const letter = body[at] ?? '';
  if (letter === '\n') return { unit: null, keepsBackslash: false, next: at + 1 };
  const simple = Object.hasOwn(SIMPLE, letter) ? SIMPLE[letter] : undefined;
  if (simple !== undefined) return { unit: simple, keepsBackslash: false, next: at + 1 };
  const octal = /^[0-7]{1,3}/.exec(body.slice(at, at + 3))?.[0];
  if (octal !== undefined) {
    const value = Number.parseInt(octal, 8);
    return { unit: kind === 'bytes' ? value & 255 : value, keepsBackslash: false, next: at + octal.length };
  }
  const length = letter === 'x' ? 2 : kind === 'text' ? ({ u: 4, U: 8 }[letter] ?? 0) : 0;
  if (length > 0) {
    const digits = body.slice(at + 1, at + 1 + length);
    if (digits.length < length || !/^[0-9a-f]+$/i.test(digits)) return null;
    const unit = Number.parseInt(digits, 16);
    return unit > 0x10ffff ? null : { unit, keepsBackslash: false, next: at + 1 + length };
  }
  if (letter === 'N' && kind === 'text') return null;
  return { unit: null, keepsBackslash: true, next: at };
}

const UNPRINTABLE = /^[\p{C}\p{Zl}\p{Zp}\p{Zs}]$/u;

/** The literal as Python's `repr` would write it: one spelling per value. */
export function writeStringLiteral({ kind, units, marked }: StringLiteral): string {
  const quote = units.includes(39) && !units.includes(34) ? '"' : "'";
  const body = units.map((unit) => {
    if (unit === 92 || unit === quote.codePointAt(0)) return `\\${String.fromCodePoint(unit)}`;
    if (unit === 10) return '\\n';
    if (unit === 13) return '\\r';
    if (unit === 9) return '\\t';
    if (unit >= 32 && unit < 127) return String.fromCodePoint(unit);
    if (unit < 256 && (kind === 'bytes' || unit < 161 || unit === 173)) return `\\x${hex(unit, 2)}`;
    const character = String.fromCodePoint(unit);
    if (!UNPRINTABLE.test(character)) return character;
    return unit > 0xffff ? `\\U${hex(unit, 8)}` : unit > 255 ? `\\u${hex(unit, 4)}` : `\\x${hex(unit, 2)}`;
  });
  return `${kind === 'bytes' ? 'b' : marked ? 'u' : ''}${quote}${body.join('')}${quote}`;
}

function hex(unit: number, digits: number): string {
  return unit.toString(16).padStart(digits, '0');
}
