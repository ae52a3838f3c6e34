/** What is being written at the caret, as far as names of the notebook are concerned. */
export interface Asked {
  /** How many characters before the caret are the beginning of the name. */
  readonly typed: number;
  /** Text to insert around the accepted name. */
  readonly before: string;
  readonly after: string;
}

const PLAIN = { before: '', after: '' };

/**
 * Whether names of the notebook can be completed at the caret. `language` is Monaco's language id.
 * @param line the text before the caret on its line
 * @param rest what follows the caret on its line
 * @returns null where they cannot: after a dot, in prose, in SQL without a colon
 */
export function askedAt(language: string, line: string, rest: string): Asked | null {
  if (language.startsWith('cellar-sql')) {
    const match = /(?<![:\w]):(\w*)$/.exec(line);
    return match === null ? null : { typed: (match[1] ?? '').length, ...PLAIN };
  }
  if (language === 'cellar-prompt') {
    const match = /\{\{(\s*)([A-Za-z_]\w*)?$/.exec(line);
    if (match === null) return null;
    const [, space = '', typed = ''] = match;
    // The rest may already contain part of the name and the closing braces.
    const closed = /^\w*(\s*)\}\}/.exec(rest);
    const after = closed === null ? ' }}' : closed[1] === '' ? ' ' : '';
    return { typed: typed.length, before: space === '' && typed === '' ? ' ' : '', after };
  }
  if (language === 'python' || language === 'r') {
    const typed = /[\p{L}_][\p{L}\p{N}_.]*$/u.exec(line)?.[0] ?? '';
    const word = language === 'r' ? typed : (typed.split('.').at(-1) ?? '');
    const led = line.at(line.length - word.length - 1) ?? '';
    if (language === 'python' && led === '.') return null;
    if (language === 'r' && (led === '$' || led === '@' || led === ':')) return null;
    return /\d/.test(led) ? null : { typed: word.length, ...PLAIN };
  }
  return null;
}
