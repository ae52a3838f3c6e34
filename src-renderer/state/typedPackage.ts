/** Text typed into the package field: finds the name to complete, replaces it, and puts pasted lists on one line. */

import { readRequirementList } from '../../src-shared/notebook/requirementList.ts';

const LAST_NAME = /(?:^|[\s,])([A-Za-z][\w.-]*)$/;
/** After an operator, as in `a == b`, the text is a version and not a name. */
const BEHIND_OPERATOR = /[=<>!~@;([]\s*$/;

/** The package name at the end of the typed text; null if the text ends with something else, such as a version. */
export function packageNameAtCaret(typed: string): string | null {
  const name = LAST_NAME.exec(typed)?.[1];
  if (name === undefined || name.length < 2) return null;
  const before = typed.slice(0, typed.length - name.length);
  return BEHIND_OPERATOR.test(before) || /;[^,]*$/.test(before) ? null : name;
}

/** The typed text with another name instead of the one at its end. */
export function withPackageName(typed: string, name: string): string {
  const current = packageNameAtCaret(typed) ?? '';
  return `${typed.slice(0, typed.length - current.length)}${name}`;
}

/** Pasted lines as one line. */
export function joinLines(pasted: string): string {
  const list = readRequirementList(pasted);
  return list.kind === 'read'
    ? list.requirements.map((one) => (/[;,\s]/.test(one) ? `"${one.replaceAll('"', "'")}"` : one)).join(' ')
    : pasted.replace(/\s*[\r\n]+\s*/g, ' ').trim();
}
