/** Reads the requirements of a conda environment.yaml, for the import into a notebook's environment. */

import { parseDocument } from 'yaml';
import {
  type Requirement,
  readRequirement,
  requirementText,
} from '../../../src-shared/notebook/requirement.ts';
import { ImportError } from './importError.ts';
import { readRequirements } from './requirementsText.ts';

export interface EnvironmentYaml {
  readonly requirements: readonly Requirement[];
  /** One sentence for each part that was left out. */
  readonly warnings: readonly string[];
}

/** A limit, because a small file with aliases can expand without end. */
const MAX_ALIASES = 100;
/** Matches `numpy=1.26.4=py312h…`: a package, its version and its build. */
export const CONDA_PIN = /^([A-Za-z0-9][A-Za-z0-9._-]*)\s*=\s*([^=\s<>!~,|]+)\s*(?:=\s*\S+)?$/;
/** Packages that conda files often list and that a notebook does not need from the index. */
export const NOT_PYTHON = new Set([
  'python',
  'pip',
  'setuptools',
  'wheel',
  'conda',
  'mamba',
  'nodejs',
  'compilers',
]);

/**
 * The requirements of a conda `environment.yaml` (docs/spec/rest-notebooks.md, 6): the entries of `dependencies`, with
 * `name=version` as `name==version`, and those below `pip:` unchanged. Channels, prefixes, Python itself, pip and
 * entries of another shape are left out with a warning each.
 * @throws ImportError when the text is not YAML, has no list of dependencies, or has an invalid requirement
 */
export function readEnvironmentYaml(text: string): EnvironmentYaml {
  const { dependencies, ...others } = yamlTable(text);
  if (!Array.isArray(dependencies)) {
    throw new ImportError('The file has no list `dependencies` at its top level.');
  }
  const warnings: string[] = [];
  for (const key of ['channels', 'prefix']) {
    if (Object.hasOwn(others, key))
      warnings.push(`\`${key}\` was left out because packages come from the notebook's index.`);
  }
  const lines: string[] = [];
  for (const entry of dependencies as readonly unknown[]) {
    if (typeof entry === 'string') {
      const requirement = ofConda(entry);
      if (typeof requirement === 'string') warnings.push(requirement);
      else lines.push(requirementText(requirement));
    } else if (isPipList(entry)) lines.push(...entry.pip);
    else warnings.push(`An entry of \`dependencies\` was left out: ${shorten(entry)} is not a package.`);
  }
  return { requirements: readRequirements(lines.join('\n')), warnings };
}

/** The top level of a YAML file. @throws ImportError when it is not a table */
export function yamlTable(text: string): Readonly<Record<string, unknown>> {
  const document = parseDocument(text, { prettyErrors: true, uniqueKeys: false });
  const [problem] = document.errors;
  if (problem !== undefined) {
    throw new ImportError(`The file cannot be read as YAML: ${problem.message.split('\n')[0]}`);
  }
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: MAX_ALIASES });
  } catch (error) {
    throw new ImportError(
      `The file cannot be read as YAML: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ImportError(
      'The file is not a conda environment: it has no list `dependencies` at its top level.',
    );
  }
  return value as Readonly<Record<string, unknown>>; // an object and not an array
}

/** The requirement for an entry of `dependencies`. @returns a warning when it is not a package of an index */
function ofConda(entry: string): Requirement | string {
  // `conda-forge::numpy` names a channel.
  const bare = entry.trim().replace(/^[\w.-]+::/, '');
  const pin = CONDA_PIN.exec(bare);
  const [, name, version] = pin ?? [];
  const asPip = name === undefined ? bare : `${name}==${version}`;
  const requirement = readRequirement(asPip);
  if (requirement === null) return `\`${shorten(entry)}\` was left out: it is not a package requirement.`;
  if (NOT_PYTHON.has(requirement.key)) {
    return requirement.key === 'python'
      ? `\`${shorten(entry)}\` was left out: the notebook's own Python version stays.`
      : `\`${shorten(entry)}\` was left out: it is not a package for the notebook.`;
  }
  return requirement;
}

export function isPipList(entry: unknown): entry is { readonly pip: readonly string[] } {
  if (typeof entry !== 'object' || entry === null || !('pip' in entry)) return false;
  return Array.isArray(entry.pip) && entry.pip.every((line) => typeof line === 'string');
}

function shorten(entry: unknown): string {
  const text = typeof entry === 'string' ? entry : (JSON.stringify(entry) ?? String(entry));
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}
