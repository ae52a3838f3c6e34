/** Reads a dropped file that lists packages (requirements.txt, environment.yaml, pyproject.toml, uv.lock). */

import { parse, type TomlTable } from 'smol-toml';
import {
  invalidVersionPart,
  MAX_REQUIREMENT,
  type Requirement,
  readRequirement,
  requirementText,
} from '../../../src-shared/notebook/requirement.ts';
import { isProjectEntry, isTable, parseLock, tablesIn, textOf } from '../lock/lockText.ts';
import { condaEntries } from './condaEntries.ts';
import { ImportError } from './importError.ts';
import { type MarkerFacts, markerHolds } from './marker.ts';
import type { Entry, SkippedEntry } from './packageEntry.ts';

/** The packages that a file lists, as far as they can be imported. */
export interface PackageList {
  readonly format: 'requirements' | 'conda' | 'pyproject' | 'uv_lock';
  /** The requirements, one for each package of an index, in the order of the file. */
  readonly requirements: readonly string[];
  readonly leftOut: readonly SkippedEntry[];
}

/**
 * Reads a file that a user drops: requirements.txt, a conda environment.yaml, pyproject.toml or uv.lock, distinguished
 * by name. Unlike an import by the API it leaves out what it cannot import, with the reason.
 * @throws ImportError when the file is none of these or cannot be parsed
 */
export function readPackageList(fileName: string, text: string, facts: MarkerFacts): PackageList {
  const name = fileName.toLowerCase();
  const clean = text.replace(/^\uFEFF/, '');
  if (name.endsWith('.lock')) return collect('uv_lock', lockEntries(clean), facts);
  if (name.endsWith('.toml')) return collect('pyproject', projectEntries(clean), facts);
  if (/\.ya?ml$/.test(name)) return collect('conda', condaEntries(clean), facts);
  if (/\.(?:txt|in|pip)$/.test(name) || !name.includes('.')) {
    return collect('requirements', requirementEntries(clean), facts);
  }
  throw new ImportError(
    `${fileName} is not a package list. Use requirements.txt, environment.yaml, pyproject.toml or uv.lock.`,
  );
}

/** The maximum number of skipped entries to report; a longer list would be of no use. */
const MAX_LEFT_OUT = 200;

function bounded(leftOut: readonly SkippedEntry[]): readonly SkippedEntry[] {
  if (leftOut.length <= MAX_LEFT_OUT) return leftOut;
  const rest = leftOut.length - MAX_LEFT_OUT;
  return [...leftOut.slice(0, MAX_LEFT_OUT), { text: `${rest} more`, why: 'are left out too.' }];
}

function collect(format: PackageList['format'], entries: readonly Entry[], facts: MarkerFacts): PackageList {
  const imported = new Map<string, string>();
  const leftOut: SkippedEntry[] = [];
  for (const entry of entries) {
    if (typeof entry !== 'string') {
      leftOut.push({ text: shorten(entry.text), why: entry.why });
      continue;
    }
    const requirement = readRequirement(entry);
    const why =
      reasonToLeaveOut(entry, requirement, facts) ??
      (imported.has(requirement?.key ?? '') ? WHY.twice : null);
    if (why !== null || requirement === null) leftOut.push({ text: shorten(entry), why: why ?? WHY.none });
    else imported.set(requirement.key, requirementText({ ...requirement, marker: null }));
  }
  return { format, requirements: [...imported.values()], leftOut: bounded(leftOut) };
}

const WHY = {
  none: 'is not a valid package requirement.',
  url: 'comes from a URL. Only packages of an index can be imported.',
  version: 'has an invalid version.',
  twice: 'is listed twice.',
  option: 'is an option. Put indexes and constraints into pyproject.toml.',
  otherFile: 'refers to another file. Import that file, too.',
  editable: 'is a folder on another machine.',
  notHere: 'is not for this machine and Python.',
  marker: 'has an invalid condition.',
} as const;

function reasonToLeaveOut(text: string, requirement: Requirement | null, facts: MarkerFacts): string | null {
  if (/^(?:-e|--editable)\b|^(?:\.{0,2}\/|file:)/.test(text)) return WHY.editable;
  if (/^(?:-r|-c|--requirement|--constraint)\b/.test(text)) return WHY.otherFile;
  if (text.startsWith('-')) return WHY.option;
  if (/^[a-z+]+:\/\//i.test(text)) return WHY.url;
  if (requirement === null || requirementText({ ...requirement, marker: null }).length > MAX_REQUIREMENT) {
    return WHY.none;
  }
  if (requirement.url !== null) return WHY.url;
  if (invalidVersionPart(requirement.specifier) !== null) return WHY.version;
  if (requirement.marker === null) return null;
  const holds = markerHolds(requirement.marker, facts);
  return holds === null ? WHY.marker : holds ? null : WHY.notHere;
}

/** Joins continued lines; removes comments and the hashes of pip-compile, since uv has its own. */
function requirementEntries(text: string): readonly Entry[] {
  return text
    .replace(/\\(?:\r\n|\r|\n)/g, ' ')
    .split(/\r\n|\r|\n/)
    .map((line) =>
      line
        .replace(/(^|\s)#.*$/, '')
        .replace(/\s+--(?:hash|config-settings|global-option)(?:=|\s+)\S+/g, '')
        .trim(),
    )
    .filter((line) => line !== '');
}

function projectEntries(text: string): readonly Entry[] {
  const table = tomlOf(text);
  const project = isTable(table['project']) ? table['project'] : null;
  const dependencies = project?.['dependencies'];
  if (project === null || !Array.isArray(dependencies)) {
    const tool = isTable(table['tool']) ? table['tool'] : {};
    const poetry = isTable(tool['poetry'])
      ? ' It is a Poetry file. Export its packages with `poetry export`.'
      : '';
    throw new ImportError(`The file has no list \`dependencies\` under [project].${poetry}`);
  }
  const groups = [
    ...keysOf(project['optional-dependencies']).map((name) => `optional-dependencies: ${name}`),
    ...keysOf(table['dependency-groups']).map((name) => `dependency-groups: ${name}`),
  ];
  return [
    ...dependencies.map((one) => textOf(one) || { text: JSON.stringify(one), why: WHY.none }),
    ...groups.map((group) => ({
      text: group,
      why: 'is an optional group. Only the main dependencies are imported.',
    })),
  ];
}

/** The dependencies of the lock's project, at the locked versions. */
function lockEntries(text: string): readonly Entry[] {
  const table = parseLock(text);
  if (table === null) throw new ImportError('The file is not a valid uv lock file.');
  const packages = tablesIn(table['package']);
  const root = packages.find(isProjectEntry);
  if (root === undefined)
    throw new ImportError('The lock file has no project. Import its pyproject.toml instead.');
  return tablesIn(root['dependencies']).map((edge) => {
    const name = textOf(edge['name']);
    const entries = packages.filter((one) => textOf(one['name']) === name);
    const version = textOf(edge['version']) || textOf(entries[0]?.['version']);
    const source = entries[0]?.['source'];
    if (!isTable(source) || !('registry' in source)) return { text: name, why: WHY.url };
    const extras = Array.isArray(edge['extra']) ? `[${edge['extra'].map(textOf).join(',')}]` : '';
    const marker = textOf(edge['marker']);
    return `${name}${extras}==${version}${marker === '' ? '' : ` ; ${marker}`}`;
  });
}

function keysOf(value: unknown): readonly string[] {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value) : [];
}

function tomlOf(text: string): TomlTable {
  try {
    return parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n')[0] : String(error);
    throw new ImportError(`The file cannot be read as TOML: ${reason}`);
  }
}

function shorten(text: string): string {
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}
