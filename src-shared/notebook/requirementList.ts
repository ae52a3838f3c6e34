/** Parses the list of Python packages that a user types or pastes to add them. */

import { invalidVersionPart, MAX_REQUIREMENT, normalizedName, readRequirement } from './requirement.ts';

/** The requirements that a user typed or pasted: one per entry, or the first invalid entry with the problem. */
type RequirementList =
  | { readonly kind: 'read'; readonly requirements: readonly string[] }
  | { readonly kind: 'wrong'; readonly text: string; readonly why: string };

/** The most packages that one job adds. */
export const MAX_ADDED = 100;

/** The installers whose command may be pasted as a whole. */
const COMMAND =
  /^\s*(?:[$>]\s+)?[!%]?\s*(?:(?:python|py)[\d.]*\s+-m\s+)?(?:pip[\d.]*\s+install|uv\s+(?:pip\s+install|add))(?=\s|$)/;
/** Options of those commands that do not affect which packages are requested. */
const HARMLESS =
  /^(?:-[Uqv]+|--upgrade|--quiet|--verbose|--user|--no-cache(?:-dir)?|--disable-pip-version-check)(?=\s|$)/;

const NAME = '[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?';
const CLAUSE = '(?:===|==|~=|!=|<=|>=|<|>)\\s*[A-Za-z0-9_.*+!-]+';
const VERSIONS = `${CLAUSE}(?:\\s*,\\s*${CLAUSE})*`;
const VALUE = '(?:"[^"\\n]*"|\'[^\'\\n]*\'|[A-Za-z_.]+)';
const COMPARISON = `[(\\s]*${VALUE}\\s*(?:===|==|~=|!=|<=|>=|<|>|not\\s+in\\b|in\\b)\\s*${VALUE}(?:\\s*\\))*`;
/** Brackets are not counted: an unbalanced condition is refused by the resolver. */
const MARKER = `;\\s*${COMPARISON}(?:\\s+(?:and|or)\\s+${COMPARISON})*`;
const ENTRY = new RegExp(
  `${NAME}(?:\\s*\\[[^\\]\\n]*\\])?(?:\\s*@\\s*[^\\s]+|\\s*\\(\\s*${VERSIONS}\\s*,?\\s*\\)|\\s*${VERSIONS})?(?:\\s*${MARKER})?`,
  'y',
);

/**
 * Parses requirements separated by blanks, commas or line breaks. A pasted `pip install a b`, quotes around an entry
 * and comments are accepted. One invalid entry makes the whole list invalid: nothing is guessed.
 */
export function readRequirementList(text: string): RequirementList {
  const requirements = new Map<string, string>();
  const lines = text.replace(/\\\r?\n/g, ' ').split(/\r\n|\r|\n/);
  for (const line of lines) {
    const wrong = readLine(line.replace(/(^|\s)#.*$/, ''), requirements);
    if (wrong !== null) return wrong;
  }
  if (requirements.size === 0) return wrongEntry(text.trim(), WHY.nothing);
  if (requirements.size > MAX_ADDED) return wrongEntry(`${requirements.size} packages`, WHY.tooMany);
  return { kind: 'read', requirements: [...requirements.values()] };
}

/** Adds the entries of a line to the earlier ones. @returns the first invalid entry, or null */
function readLine(line: string, requirements: Map<string, string>): RequirementList | null {
  const command = COMMAND.exec(line);
  let at = command?.[0].length ?? 0;
  while (at < line.length) {
    const rest = line.slice(at);
    const blank = /^[\s,]+/.exec(rest) ?? (command === null ? null : HARMLESS.exec(rest));
    if (blank !== null) {
      at += blank[0].length;
      continue;
    }
    const entry = entryAt(line, at);
    if (entry === null) return wrongEntry(wordAt(rest), whyNone(wordAt(rest)));
    at = entry.end;
    const wrong = whyWrong(entry.text, requirements);
    if (wrong !== null) return wrongEntry(entry.text, wrong);
    requirements.set(keyOf(entry.text), entry.text);
  }
  return null;
}

/** The requirement that starts at a position of a line; null if there is none, or if text is attached to its end. */
function entryAt(line: string, at: number): { readonly text: string; readonly end: number } | null {
  const quoted = /^(["'])(.*?)\1(?=[\s,]|$)/.exec(line.slice(at));
  if (quoted !== null) {
    const text = (quoted[2] ?? '').trim();
    return readRequirement(text) === null ? null : { text, end: at + quoted[0].length };
  }
  ENTRY.lastIndex = at;
  const match = ENTRY.exec(line);
  if (match === null) return null;
  // The comma after a URL separates it from the next entry.
  const text = match[0].replace(/,+$/, '').trim();
  const end = at + match[0].length;
  if (!/^(?:[\s,]|$)/.test(line.slice(end)) || readRequirement(text) === null) return null;
  // An operator after a blank belongs to this entry, which is then invalid.
  return /^\s*[;=<>!~@[(]/.test(line.slice(end)) ? null : { text, end };
}

function whyWrong(text: string, requirements: ReadonlyMap<string, string>): string | null {
  if (text.length > MAX_REQUIREMENT) return WHY.tooLong;
  const bad = invalidVersionPart(readRequirement(text)?.specifier ?? '');
  if (bad !== null) return `has the invalid version ${bad}.`;
  const twin = requirements.get(keyOf(text));
  return twin === undefined || twin === text ? null : `is listed twice: ${twin} and ${text}.`;
}

function keyOf(text: string): string {
  return normalizedName(readRequirement(text)?.name ?? text);
}

/** The part of an invalid entry that is shown: up to the next separator, without splitting a list of versions. */
function wordAt(rest: string): string {
  const word =
    /^(?:"[^"]*"?|'[^']*'?|[^\s,]+(?:(?<=[;=<>!~@[(])\s+[^\s,]+|\s*[;=<>!~@[(]+\s*[^\s,]*)*)/.exec(
      rest,
    )?.[0] ?? rest;
  return word.length > 80 ? `${word.slice(0, 79)}…` : word;
}

function whyNone(word: string): string {
  if (/^(?:-r|-c|--requirement|--constraint)\b/.test(word)) return WHY.list;
  if (word.startsWith('-')) return WHY.option;
  if (/^(?:[a-z+]+:\/\/|\.{0,2}\/)/i.test(word)) return WHY.place;
  if (/^[\w.[\]-]+\s*=(?!=)/.test(word)) return WHY.oneEquals;
  if (word.includes(';')) return WHY.marker;
  return WHY.none;
}

const WHY = {
  nothing: 'names no package.',
  tooMany: `are too many. Add at most ${MAX_ADDED} at once, or import a file.`,
  tooLong: `is longer than ${MAX_REQUIREMENT} characters.`,
  list: 'refers to a file. Import that file instead.',
  option: 'is an option. List only packages; put indexes into pyproject.toml.',
  place: 'is an address or a path. Write it as name @ address.',
  oneEquals: 'has a single =. Use == for a version.',
  marker: 'has an invalid condition after the ;.',
  none: 'is not a valid package requirement.',
} as const;

function wrongEntry(text: string, why: string): RequirementList {
  return { kind: 'wrong', text, why };
}
