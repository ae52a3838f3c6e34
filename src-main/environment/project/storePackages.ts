import { normalName, type Requirement, readRequirement } from '../../../src-shared/notebook/requirement.ts';
import type { Dependency } from '../../../src-shared/wire/environment.ts';
import { STORE_PACKAGES, STORE_REQUIREMENTS } from '../../notebook/storePackages.ts';
import type { ProjectFile } from '../folder/projectFile.ts';
import { resolvedPackages } from '../lock/lockDigest.ts';
import { isProjectEntry, parseLock, tablesIn, textOf } from '../lock/lockText.ts';

/**
 * The packages results are stored with: without pyarrow a table becomes a pickle. What a notebook has of them stays,
 * whatever an import or an edit of its requirements lists.
 */

/** True for a package that a notebook keeps. */
export function isStorePackage(name: string): boolean {
  return STORE_PACKAGES.has(normalName(name));
}

/** What the project, or the lock made of it before somebody edited it, asks for of them; by name, as it is spelled. */
export function storeRequirements(
  project: Pick<ProjectFile, 'requirements'> | null,
  lockText: string | null,
): ReadonlyMap<string, string> {
  const usual = new Map(STORE_REQUIREMENTS.map((text) => [nameOf(text), text]));
  const own = tablesIn((lockText === null ? null : parseLock(lockText))?.['package']).find(isProjectEntry);
  const locked = tablesIn(own?.['dependencies']).map((edge) => usual.get(normalName(textOf(edge['name']))));
  const all = [...locked.filter((text) => text !== undefined), ...(project?.requirements ?? [])];
  return new Map(
    all.map((text) => [nameOf(text), text] as const).filter(([name]) => STORE_PACKAGES.has(name)),
  );
}

/** Those of `needed` that the project asks for no more. */
export function droppedFrom(
  project: Pick<ProjectFile, 'requirements'>,
  needed: ReadonlyMap<string, string>,
): readonly string[] {
  const asked = new Set(project.requirements.map(nameOf));
  return [...STORE_PACKAGES].flatMap((name) => (asked.has(name) ? [] : (needed.get(name) ?? [])));
}

/** A list to import, with what the notebook keeps although the list does not name it. */
export function withKept(
  listed: readonly Requirement[],
  current: readonly Dependency[],
): readonly Requirement[] {
  const names = new Set(listed.map(({ key }) => key));
  const kept = current.filter(({ name }) => isStorePackage(name) && !names.has(normalName(name)));
  const asRequirement = ({ name, specifier }: Dependency): Requirement => ({
    ...{ name, key: normalName(name), extras: [], specifier: specifier ?? '', url: null, marker: null },
  });
  return [...listed, ...kept.map(asRequirement)];
}

/** Those that a lock does not install, by name. */
export function missingFrom(lockText: string): readonly string[] {
  const there = new Set(resolvedPackages(lockText).map(({ name }) => normalName(name)));
  return [...STORE_PACKAGES].filter((name) => !there.has(name));
}

/** Said in the output of the job that kept them. */
export function keptWords(requirements: readonly string[]): string {
  return `Added ${requirements.join(', ')}, which Cellar needs to store results.\n`;
}

function nameOf(requirement: string): string {
  return normalName(readRequirement(requirement)?.name ?? requirement);
}
