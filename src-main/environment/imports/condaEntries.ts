import { readRequirement } from '../../../src-shared/notebook/requirement.ts';
import { isCondaOnly, PIP_NAME_OF } from './condaNames.ts';
import { CONDA_PIN, isPipList, NOT_PYTHON, yamlTable } from './environmentYaml.ts';
import { ImportError } from './importError.ts';
import type { Entry } from './packageEntry.ts';

/**
 * The packages of a dropped conda environment file, by their names in the package index; those that cannot be imported
 * have the reason.
 */
export function condaEntries(text: string): readonly Entry[] {
  const { dependencies, ...others } = yamlTable(text);
  if (!Array.isArray(dependencies)) {
    throw new ImportError('The file has no list `dependencies` at its top level.');
  }
  const entries: Entry[] = [];
  for (const key of ['channels', 'prefix']) {
    if (Object.hasOwn(others, key)) {
      entries.push({ text: key, why: 'is a conda setting. Packages come from the notebook’s index.' });
    }
  }
  for (const entry of dependencies as readonly unknown[]) {
    if (typeof entry === 'string') entries.push(entryOf(entry));
    else if (isPipList(entry)) entries.push(...entry.pip);
    else entries.push({ text: JSON.stringify(entry) ?? String(entry), why: 'is not a package.' });
  }
  return entries;
}

function entryOf(text: string): Entry {
  // `conda-forge::numpy` names a channel, `numpy[build=…]` a build.
  const bare = text
    .trim()
    .replace(/^[\w./-]+::/, '')
    .replace(/\[.*\]$/, '');
  const [, pinned, version] = CONDA_PIN.exec(bare) ?? [];
  const name = pinned ?? /^[A-Za-z0-9_][A-Za-z0-9._-]*/.exec(bare)?.[0] ?? '';
  if (isCondaOnly(name)) return { text, why: 'is available only in conda, not in the package index.' };
  // conda's `numpy 1.26.*`, and `numpy=1.26`, which means any 1.26.
  const spaced = /^(\S+)\s+(\d[\w.*]*)$/.exec(bare);
  const asPip =
    version !== undefined ? `${name}==${version}` : spaced === null ? bare : `${spaced[1]}==${spaced[2]}`;
  const requirement = readRequirement(asPip);
  if (requirement === null) return { text, why: 'is not a valid package requirement.' };
  if (requirement.key === 'python')
    return { text, why: 'is Python itself. Choose the version in the Environment panel.' };
  if (NOT_PYTHON.has(requirement.key)) return { text, why: 'is not a package for the notebook.' };
  const pipName = Object.hasOwn(PIP_NAME_OF, requirement.key) ? PIP_NAME_OF[requirement.key] : undefined;
  return pipName === undefined ? asPip : `${pipName}${asPip.slice(requirement.name.length)}`;
}
