/**
 * The packages that Cellar needs in a notebook's environment to store values: without pyarrow, a table would
 * be stored as a pickle. A notebook keeps those that it has, whatever an import or an edit of its
 * requirements lists.
 */

import {
  normalizedName,
  type Requirement,
  readRequirement,
} from '../../../src-shared/notebook/requirement.ts';
import type { Dependency } from '../../../src-shared/wire/environment.ts';
import { STORE_PACKAGES, STORE_REQUIREMENTS } from '../../notebook/storePackages.ts';
import type { ProjectFile } from '../folder/projectFile.ts';
import { resolvedPackages } from '../lock/lockDigest.ts';
import { isProjectEntry, parseLock, tablesIn, textOf } from '../lock/lockText.ts';

/** Whether this is a package that a notebook must have. */
export function isStorePackage(name: string): boolean {
  return STORE_PACKAGES.has(normalizedName(name));
}

/** The requirements for these packages in the project, or in its lock when an edit removed them; by name. */
export function storeRequirements(
  project: Pick<ProjectFile, 'requirements'> | null,
  lockText: string | null,
): ReadonlyMap<string, string> {
  const defaults = new Map(STORE_REQUIREMENTS.map((text) => [nameOf(text), text]));
  const own = tablesIn((lockText === null ? null : parseLock(lockText))?.['package']).find(isProjectEntry);
  const locked = tablesIn(own?.['dependencies']).map((edge) =>
    defaults.get(normalizedName(textOf(edge['name']))),
  );
  const all = [...locked.filter((text) => text !== undefined), ...(project?.requirements ?? [])];
  return new Map(
    all.map((text) => [nameOf(text), text] as const).filter(([name]) => STORE_PACKAGES.has(name)),
  );
}

/** The names in `needed` that the project no longer requires. */
export function removedStorePackages(
  project: Pick<ProjectFile, 'requirements'>,
  needed: ReadonlyMap<string, string>,
): readonly string[] {
  const declared = new Set(project.requirements.map(nameOf));
  return [...STORE_PACKAGES].flatMap((name) => (declared.has(name) ? [] : (needed.get(name) ?? [])));
}

/** A list to import, with the packages that the notebook keeps although the list lacks them. */
export function withStorePackages(
  listed: readonly Requirement[],
  current: readonly Dependency[],
): readonly Requirement[] {
  const names = new Set(listed.map(({ key }) => key));
  const missing = current.filter(({ name }) => isStorePackage(name) && !names.has(normalizedName(name)));
  const asRequirement = ({ name, specifier }: Dependency): Requirement => ({
    name,
    key: normalizedName(name),
    extras: [],
    specifier: specifier ?? '',
    url: null,
    marker: null,
  });
  return [...listed, ...missing.map(asRequirement)];
}

/** The names of these packages that a lock does not install. */
export function storePackagesMissingFrom(lockText: string): readonly string[] {
  const lockedNames = new Set(resolvedPackages(lockText).map(({ name }) => normalizedName(name)));
  return [...STORE_PACKAGES].filter((name) => !lockedNames.has(name));
}

/** The message in the output of a job that added them again. */
export function addedPackagesText(requirements: readonly string[]): string {
  return `Added ${requirements.join(', ')}, which Cellar needs to store results.\n`;
}

function nameOf(requirement: string): string {
  return normalizedName(readRequirement(requirement)?.name ?? requirement);
}
