import { normalizedName } from '../../../src-shared/notebook/requirement.ts';
import type { Dependency } from '../../../src-shared/wire/environment.ts';
import { isProjectEntry, isTable, parseLock, tablesIn, textOf } from './lockText.ts';

/**
 * Checks whether uv.lock has all requirements of pyproject.toml: a message for users about the ones that it lacks, or
 * null. Compares names and version specifiers, which is what users edit; the final decision is uv's when it locks.
 */
export function lockMisfit(
  project: { readonly dependencies: readonly Dependency[] },
  lockText: string,
): string | null {
  const own = tablesIn(parseLock(lockText)?.['package']).find(isProjectEntry);
  if (own === undefined) return null;
  const { metadata } = own;
  const locked = new Map(
    tablesIn(isTable(metadata) ? metadata['requires-dist'] : undefined).map((entry) => [
      normalizedName(textOf(entry['name'])),
      normalSpecifier(textOf(entry['specifier'])),
    ]),
  );
  const declared = new Map(
    project.dependencies.map(({ name, specifier }) => [
      normalizedName(name),
      normalSpecifier(specifier ?? ''),
    ]),
  );
  const changed = [...declared]
    .filter(([name, specifier]) => locked.get(name) !== specifier)
    .map(([name]) => name);
  const undeclared = [...locked.keys()].filter((name) => !declared.has(name));
  const names = [...changed, ...undeclared];
  if (names.length === 0) return null;
  return `uv.lock is older than pyproject.toml (${names.join(', ')}). Sync the environment to update it.`;
}

function normalSpecifier(specifier: string): string {
  return specifier
    .split(',')
    .map((clause) => clause.replace(/\s+/g, ''))
    .filter((clause) => clause !== '')
    .sort()
    .join(',');
}
