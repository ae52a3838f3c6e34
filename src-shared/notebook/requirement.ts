/** Parses one requirement of a Python package, such as `pandas>=2` (PEP 508). */

/** One parsed PEP 508 requirement. */
export interface Requirement {
  /** As written. */
  readonly name: string;
  /** PEP 503. */
  readonly key: string;
  readonly extras: readonly string[];
  /** `>=2,<3`, without blanks; '' for any version. */
  readonly specifier: string;
  /** In `name @ url`. */
  readonly url: string | null;
  /** The part after `;`. */
  readonly marker: string | null;
}

/** The maximum length of a requirement, in characters (docs/spec/rest-notebooks.md, 6). */
export const MAX_REQUIREMENT = 200;

const NAME = '[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?';
const CLAUSE = '(?:===|==|~=|!=|<=|>=|<|>)\\s*[A-Za-z0-9_.*+!-]+';
const VERSIONS = `${CLAUSE}(?:\\s*,\\s*${CLAUSE})*\\s*,?`;
const SHAPE = new RegExp(
  `^(${NAME})\\s*(?:\\[\\s*((?:${NAME}(?:\\s*,\\s*${NAME})*)?)\\s*\\])?\\s*` +
    `(?:@\\s*(\\S+)|\\(\\s*(${VERSIONS})\\s*\\)|(${VERSIONS}))?\\s*(?:;\\s*(\\S.*))?$`,
);

/**
 * Parses one requirement. Only its syntax is checked: versions and markers are validated by the resolver.
 * @returns null for invalid text, or more than one requirement
 */
export function readRequirement(text: string): Requirement | null {
  const match = SHAPE.exec(text.trim());
  if (match === null) return null;
  const [, name = '', extras = '', url, inParens, bare, marker] = match;
  return {
    name,
    key: normalizedName(name),
    extras: extras
      .split(',')
      .map((extra) => extra.trim())
      .filter((extra) => extra !== ''),
    specifier: (inParens ?? bare ?? '').replace(/\s+/g, '').replace(/,$/, ''),
    url: url ?? null,
    marker: marker?.trim() ?? null,
  };
}

/** PEP 440: a version of an index; `1.*` for any of them. */
const VERSION =
  /^v?(?:\d+!)?\d+(?:\.\d+)*(?:\.\*|(?:[-_.]?(?:a|b|c|rc|alpha|beta|pre|preview)[-_.]?\d*)?(?:-\d+|[-_.]?(?:post|rev|r)[-_.]?\d*)?(?:[-_.]?dev[-_.]?\d*)?(?:\+[a-z0-9]+(?:[-_.][a-z0-9]+)*)?)$/i;

/**
 * The part of a specifier that is not a valid PEP 440 version, or null: found here to give a clearer message
 * than the resolver's.
 */
export function invalidVersionPart(specifier: string): string | null {
  for (const clause of specifier.split(',')) {
    const [, operator, version = ''] = /^(===|==|~=|!=|<=|>=|<|>)(.*)$/.exec(clause) ?? [];
    if (operator !== undefined && operator !== '===' && !VERSION.test(version)) return version;
  }
  return null;
}

/** PEP 503: runs of `-_.` become one dash, lower case. */
export function normalizedName(name: string): string {
  return name.toLowerCase().replace(/[-_.]+/g, '-');
}

/** The text of a requirement as a project file has it: `pandas[excel]>=2`. */
export function requirementText({ name, extras, specifier, url, marker }: Requirement): string {
  const target = extras.length === 0 ? name : `${name}[${extras.join(',')}]`;
  const from = url === null ? specifier : ` @ ${url}`;
  return `${target}${from}${marker === null ? '' : ` ; ${marker}`}`;
}

/** One requirement for uv's command line, as typed by a user; null if it is invalid. */
export function singleRequirement(text: string): Requirement | null {
  return text.length > MAX_REQUIREMENT || /[\r\n\0]/.test(text) ? null : readRequirement(text);
}
