/** Previews what an import of requirements would change in a notebook's direct dependencies. */

import {
  normalizedName,
  type Requirement,
  requirementText,
} from '../../../src-shared/notebook/requirement.ts';
import type { Dependency } from '../../../src-shared/wire/environment.ts';

/** What an import would change in the direct dependencies (docs/spec/rest-notebooks.md, 6). */
interface ImportPreview {
  readonly preview_dependencies: readonly Dependency[];
  readonly normalized_requirements: readonly string[];
  readonly imported_count: number;
  readonly additions: readonly Dependency[];
  readonly removals: readonly Dependency[];
  readonly unchanged: readonly Dependency[];
}

/** A package with a changed specifier is both an addition and a removal. */
export function previewImport(
  requirements: readonly Requirement[],
  current: readonly Dependency[],
): ImportPreview {
  const next = requirements.map(asDependency);
  const isIn = (list: readonly Dependency[], one: Dependency): boolean =>
    list.some(
      (other) => normalizedName(other.name) === normalizedName(one.name) && sameSpecifier(other, one),
    );
  return {
    preview_dependencies: next,
    normalized_requirements: requirements.map(requirementText),
    imported_count: requirements.length,
    additions: next.filter((one) => !isIn(current, one)),
    removals: current.filter((one) => !isIn(next, one)),
    unchanged: next.filter((one) => isIn(current, one)),
  };
}

function asDependency({ name, specifier }: Requirement): Dependency {
  return { name, version: null, specifier: specifier === '' ? null : specifier };
}

function sameSpecifier(a: Dependency, b: Dependency): boolean {
  const plain = ({ specifier }: Dependency): string => (specifier ?? '').replace(/\s+/g, '');
  return plain(a) === plain(b);
}
