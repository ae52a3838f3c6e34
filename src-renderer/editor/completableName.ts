/** Determines which name at the caret of a cell can be completed by names of the notebook. */

/** The name at the caret that names of the notebook can complete. */
interface NameAtCaret {
  /** How many characters before the caret are the beginning of the name. */
  readonly typed: number;
  /** Text to insert around the accepted name. */
  readonly before: string;
  readonly after: string;
}

const PLAIN = { before: '', after: '' };

/**
 * Whether names of the notebook can be completed at the caret. `monacoId` is Monaco's id of its language.
 * @param line the text before the caret on its line
 * @param rest what follows the caret on its line
 * @returns null where they cannot: after a dot, in prose, in SQL not after a colon
 */
export function completableNameAt(monacoId: string, line: string, rest: string): NameAtCaret | null {
  if (monacoId.startsWith('cellar-sql')) {
    const match = /(?<![:\w]):(\w*)$/.exec(line);
    return match === null ? null : { typed: (match[1] ?? '').length, ...PLAIN };
  }
  if (monacoId === 'cellar-prompt') {
    const match = /\{\{(\s*)([A-Za-z_]\w*)?$/.exec(line);
    if (match === null) return null;
    const [, space = '', typed = ''] = match;
    // The rest may already contain part of the name and the closing braces.
    const closed = /^\w*(\s*)\}\}/.exec(rest);
    const after = closed === null ? ' }}' : closed[1] === '' ? ' ' : '';
    return { typed: typed.length, before: space === '' && typed === '' ? ' ' : '', after };
  }
  if (monacoId === 'python' || monacoId === 'r') {
    const typed = /[\p{L}_][\p{L}\p{N}_.]*$/u.exec(line)?.[0] ?? '';
    const word = monacoId === 'r' ? typed : (typed.split('.').at(-1) ?? '');
    const precedingCharacter = line.at(line.length - word.length - 1) ?? '';
    if (monacoId === 'python' && precedingCharacter === '.') return null;
    if (
      monacoId === 'r' &&
      (precedingCharacter === '$' || precedingCharacter === '@' || precedingCharacter === ':')
    )
      return null;
    return /\d/.test(precedingCharacter) ? null : { typed: word.length, ...PLAIN };
  }
  return null;
}
