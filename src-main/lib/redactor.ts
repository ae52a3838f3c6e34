/** Replaces known secret values in text, in logs, outputs and everything else that leaves the program. */

import { randomUUID } from 'node:crypto';
import { createMatcher } from './matcher.ts';

/** The replacement of a hidden value. */
export const HIDDEN = '[hidden]';
/**
 * Shorter values may be ordinary words: hiding them would make text unreadable without protecting anything.
 */
export const MIN_HIDDEN = 8;
/** If the beginning of a value was cut off, a rest of at least this length is hidden. */
const MIN_REST = 4;

/** Redacts text that arrives in arbitrary chunks: the combined result is the same as for the whole text. */
export interface StreamRedactor {
  /** Returns the text that is certain so far; a possible beginning of a value waits for the next chunk. */
  push(piece: string): string;
  /** Returns the waiting text. The next chunk begins a new text. */
  end(): string;
}

/** Hides known values in text: leftmost first, the longer of two that begin at the same place. */
export interface Redactor {
  /** Whether there is nothing to hide: every text is then returned unchanged. */
  readonly isIdle: boolean;
  /** Identifies the redactor of a text; reveals nothing about the values. */
  readonly id: string;
  text(text: string): string;
  /** How many of the first characters may be the end of a value, in text whose beginning was cut off. */
  restLength(text: string): number;
  /** How many of the last characters may be the beginning of a value, in text whose end was cut off. */
  openLength(text: string): number;
  stream(): StreamRedactor;
}

export const NOTHING_HIDDEN: Redactor = {
  isIdle: true,
  id: '',
  text: (text) => text,
  restLength: () => 0,
  openLength: () => 0,
  stream: () => ({ push: (piece) => piece, end: () => '' }),
};

/**
 * Hides each of these values of at least MIN_HIDDEN characters, as it is and as encoded in JSON, Python,
 * CSV, HTML, URLs and base64.
 */
export function createRedactor(values: Iterable<string>): Redactor {
  const patterns = [...new Set([...values].flatMap(spellings))].sort((a, b) => b.length - a.length);
  if (patterns.length === 0) return NOTHING_HIDDEN;
  const find = createMatcher(patterns, MIN_HIDDEN);
  const openAt = prefixFinder(patterns);

  const text = (input: string): string => {
    let output = '';
    let from = 0;
    for (let match = find(input, 0); match !== null; match = find(input, from)) {
      output += input.slice(from, match.index) + HIDDEN;
      from = match.index + match.length;
    }
    return from === 0 ? input : output + input.slice(from);
  };

  function stream(): StreamRedactor {
    let waiting = '';
    return {
      push(piece) {
        const all = waiting === '' ? piece : waiting + piece;
        let open = openAt(all, 0);
        let sure = '';
        let from = 0;
        for (let match = find(all, 0); match !== null; match = find(all, from)) {
          // A match that begins before or here may still become another, or a longer, value.
          if (open <= match.index) break;
          sure += all.slice(from, match.index) + HIDDEN;
          from = match.index + match.length;
          if (open < from) open = openAt(all, from);
        }
        waiting = all.slice(open);
        return from === 0 && open === all.length ? all : sure + all.slice(from, open);
      },
      end() {
        const last = text(waiting);
        waiting = '';
        return last;
      },
    };
  }

  return {
    isIdle: false,
    id: randomUUID().slice(0, 8),
    text,
    restLength: (input) => restLength(patterns, input),
    openLength: (input) => input.length - openAt(input, 0),
    stream,
  };
}

/** The marker for lost output of a stream: the text after it may begin in the middle of a value. */
export const CUT_MARK = /^\[… [^\n]* …\]\n/;

/** Redacts the stored tail of a stream, whose marker shows whether its beginning was cut off. */
export function hideInStream(text: string, redactor: Redactor): string {
  const mark = CUT_MARK.exec(text)?.[0];
  return mark === undefined ? redactor.text(text) : mark + hideInRest(text.slice(mark.length), redactor);
}

/** Redacts text whose beginning was cut off, possibly in the middle of a value. */
export function hideInRest(text: string, redactor: Redactor): string {
  const rest = redactor.restLength(text);
  return rest === 0 ? redactor.text(text) : HIDDEN + redactor.text(text.slice(rest));
}

/**
 * Finds, from index `from` on, the first place where the text ends in the beginning of a pattern; else its
 * end.
 */
function prefixFinder(patterns: readonly string[]): (text: string, from: number) => number {
  const longest = patterns[0]?.length ?? 0;
  const byFirst = new Map<number, string[]>();
  for (const pattern of patterns) {
    const first = pattern.charCodeAt(0);
    byFirst.set(first, [...(byFirst.get(first) ?? []), pattern]);
  }
  return (text, from) => {
    for (let at = Math.max(from, text.length - longest + 1); at < text.length; at++) {
      const rest = text.length - at;
      for (const pattern of byFirst.get(text.charCodeAt(at)) ?? []) {
        if (pattern.length > rest && text.startsWith(pattern.slice(0, rest), at)) return at;
      }
    }
    return text.length;
  };
}

/** How much of the beginning is the end of some pattern. */
function restLength(patterns: readonly string[], text: string): number {
  let most = 0;
  for (const pattern of patterns) {
    for (let length = Math.min(pattern.length - 1, text.length); length >= MIN_REST; length--) {
      if (length <= most) break;
      if (text.startsWith(pattern.slice(pattern.length - length))) most = length;
    }
  }
  return most;
}

function spellings(value: string): readonly string[] {
  const all = [value, value.trim()].filter((one) => one.length >= MIN_HIDDEN);
  return all.flatMap((one) => [
    one,
    json(one),
    asciiJson(one),
    python(one),
    url(one),
    csv(one),
    html(one),
    html(one, '#39'),
    ...base64(one),
  ]);
}

function json(value: string): string {
  return JSON.stringify(value).slice(1, -1);
}

function asciiJson(value: string): string {
  return json(value).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** A value as Python's `repr` writes it, with the quotes that `repr` chooses. */
function python(value: string): string {
  const inside = json(value).replaceAll('\\"', '"');
  return value.includes("'") && value.includes('"') ? inside.replaceAll("'", "\\'") : inside;
}

function url(value: string): string {
  // A lone surrogate has no such encoding.
  return value.isWellFormed() ? encodeURIComponent(value) : value;
}

/**
 * A value in base64, alone and between other bytes: preceding bytes shift its bits by none, two or four, and the
 * characters that also contain bits of its neighbours are omitted. Both alphabets.
 */
function base64(value: string): readonly string[] {
  const bytes = Buffer.from(value);
  const embedded = [0, 1, 2].map((before) => {
    const whole = Buffer.concat([Buffer.alloc(before), bytes]);
    const [from, to] = [Math.ceil((before * 8) / 6), Math.floor((whole.length * 8) / 6)];
    return whole.toString('base64').slice(from, to);
  });
  const all = [bytes.toString('base64'), ...embedded];
  return [...all, ...all.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'))];
}

function csv(value: string): string {
  return value.replaceAll('"', '""');
}

function html(value: string, quote = '#x27'): string {
  return value
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", `&${quote};`);
}
