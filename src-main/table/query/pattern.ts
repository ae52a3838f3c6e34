/** Compiles the regular expressions of the data viewer's filters and limits the time that they take. */

import { createContext, runInContext } from 'node:vm';

/** The error for an invalid regular expression; the message says why. */
export class PatternError extends Error {
  override readonly name = 'PatternError';
}

const LOOK_AROUND = /\(\?<?[=!]/;
const BACK_REFERENCE = /\\(?:[1-9]|k<)/;
const IGNORE_CASE = '(?i)';

/**
 * Compiles the expression as SQL, polars and pandas interpret it: it matches anywhere in the text, `(?i)` at its start
 * ignores case, `\d`, `\w` and `\s` are ASCII; no look-around and no back-references, which those engines do not have.
 * @throws PatternError
 */
export function compilePattern(text: string): RegExp {
  const ignoreCase = text.startsWith(IGNORE_CASE);
  const body = ignoreCase ? text.slice(IGNORE_CASE.length) : text;
  // Without escaped backslashes, which start no escape sequence.
  const bare = body.replaceAll('\\\\', '');
  if (LOOK_AROUND.test(bare.replaceAll(/\\\(/g, '')) || BACK_REFERENCE.test(bare)) {
    throw new PatternError('Look-around and back-references cannot be used in a pattern.');
  }
  try {
    return new RegExp(asciiSpaces(body), ignoreCase ? 'iu' : 'u');
  } catch (error) {
    const why = error instanceof Error ? error.message.replace(/^.*\/[a-z]*: /, '') : String(error);
    throw new PatternError(`The pattern is not a regular expression: ${why}.`);
  }
}

/** An expression whose `\s` matches six spaces, as in those engines; JavaScript's matches every Unicode space. */
function asciiSpaces(body: string): string {
  let inClass = false;
  return body.replaceAll(/\\.|[[\]]/gsu, (part) => {
    if (part === '[' || part === ']') inClass = part === '[';
    if (part === '\\s') return inClass ? ' \\t\\n\\r\\f\\v' : '[ \\t\\n\\r\\f\\v]';
    if (part === '\\S' && !inClass) return '[^ \\t\\n\\r\\f\\v]';
    return part;
  });
}

/** How long the patterns of one filter may take, in ms. */
const PATTERN_MS = 10_000;

/**
 * Runs `work`, which matches a pattern against many texts. A pattern can take exponential time on a hostile text, and
 * only the time limit of a script can stop it within the thread. @throws PatternError
 */
export function withinTime(work: () => void, timeout: number = PATTERN_MS): void {
  try {
    runInContext('work()', createContext({ work }), { timeout });
  } catch (error) {
    // The error comes from the other context, which has its own classes.
    const code: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, 'code') : null;
    if (code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') {
      throw new PatternError('The pattern takes too long on this table. Use a simpler pattern.');
    }
    throw error;
  }
}
