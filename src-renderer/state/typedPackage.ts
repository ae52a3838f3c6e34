/** Text typed into the field for packages: the name to complete, replacing it, and pasted lists on one line. */

import { readRequirementList } from '../../src-shared/notebook/requirementList.ts';

const LAST_NAME = /(?:^|[\s,])([A-Za-z][\w.-]*)$/;
/** In `a == b`, `b` is a version and no name. */
const BEHIND_OPERATOR = /[=<>!~@;([]\s*$/;

/** The package name at the end of what was typed, with no version yet; null where nothing is being named. */
export function packageNameAtCaret(typed: string): string | null {
  const name = LAST_NAME.exec(typed)?.[1];
  if (name === undefined || name.length < 2) return null;
  const before = typed.slice(0, typed.length - name.length);
  return BEHIND_OPERATOR.test(before) || /;[^,]*$/.test(before) ? null : name;
}

/** What was typed, with another name in place of the one at its end. */
export function withPackageName(typed: string, name: string): string {
  const current = packageNameAtCaret(typed) ?? '';
  return `${typed.slice(0, typed.length - current.length)}${name}`;
}

/** Pasted lines as a field of one line shows them. */
export function joinLines(pasted: string): string {
  const list = readRequirementList(pasted);
  return list.kind === 'read'
    ? list.requirements.map((one) => (/[;,\s]/.test(one) ? `"${one.replaceAll('"', "'")}"` : one)).join(' ')
    : pasted.replace(/\s*[\r\n]+\s*/g, ' ').trim();
}
