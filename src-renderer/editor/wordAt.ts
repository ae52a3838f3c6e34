/** What is being written at the caret, as far as names of the notebook are concerned. */
export interface Asked {
  /** How many characters before the caret are the beginning of the name. */
  readonly typed: number;
  /** What is to stand around the name that is taken. */
  readonly before: string;
  readonly after: string;
}

const PLAIN = { before: '', after: '' };

/**
 * Whether a name of the notebook may stand at the caret, by the editor's name of the language.
 * @param line what stands before the caret on its line
 * @param rest what follows the caret on its line
 * @returns null where none may: after a dot, in prose, in SQL without a colon
 */
export function askedAt(language: string, line: string, rest: string): Asked | null {
  if (language.startsWith('cellar-sql')) {
    const found = /(?<![:\w]):(\w*)$/.exec(line);
    return found === null ? null : { typed: (found[1] ?? '').length, ...PLAIN };
  }
  if (language === 'cellar-prompt') {
    const found = /\{\{(\s*)([A-Za-z_]\w*)?$/.exec(line);
    if (found === null) return null;
    const [, space = '', typed = ''] = found;
    // What is still being typed may stand there already when the list is asked for.
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
