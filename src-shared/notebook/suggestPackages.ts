/** Suggests package names for the text that a user types in the Environment panel. */

import { KNOWN_PACKAGES } from './knownPackages.ts';
import { normalizedName } from './requirement.ts';

/** A package whose name matches the typed text. */
export interface PackageSuggestion {
  readonly name: string;
  /** The matching import name, if the package has another name. */
  readonly imported: string | null;
  /** The source of the name. */
  readonly source: 'notebook' | 'cache' | 'list';
}

/** The most suggestions shown. */
const MAX_SUGGESTIONS = 8;

/**
 * The packages that match typed text, best first: an equal name or import name, then names that begin with the text,
 * then import names that begin with it, then names that contain it.
 */
export function suggestPackages(
  typed: string,
  names: { readonly notebook: readonly string[]; readonly cache: readonly string[] },
): readonly PackageSuggestion[] {
  const text = normalizedName(typed.trim());
  if (text === '') return [];
  const sources = new Map<string, PackageSuggestion['source']>();
  for (const { name } of KNOWN_PACKAGES) sources.set(name, 'list');
  for (const name of names.cache) sources.set(normalizedName(name), 'cache');
  for (const name of names.notebook) sources.set(normalizedName(name), 'notebook');
  const imports = new Map(KNOWN_PACKAGES.map((one) => [one.name, one.imports]));
  return [...sources]
    .flatMap(([name, source]) => {
      const fit = fitOf(text, name, imports.get(name) ?? []);
      return fit === null ? [] : [{ name, source, ...fit }];
    })
    .sort((a, b) => a.rank - b.rank || a.name.length - b.name.length || (a.name < b.name ? -1 : 1))
    .slice(0, MAX_SUGGESTIONS)
    .map(({ name, imported, source }) => ({ name, imported, source }));
}

function fitOf(
  text: string,
  name: string,
  imports: readonly string[],
): { readonly rank: number; readonly imported: string | null } | null {
  const exact = imports.find((one) => normalizedName(one) === text);
  if (name === text) return { rank: 0, imported: null };
  if (exact !== undefined) return { rank: 0, imported: exact };
  if (name.startsWith(text)) return { rank: 1, imported: null };
  const begins = imports.find((one) => normalizedName(one).startsWith(text));
  if (begins !== undefined) return { rank: 2, imported: begins };
  // Nearly every name contains a text of one or two letters.
  return text.length > 2 && name.includes(text) ? { rank: 3, imported: null } : null;
}
