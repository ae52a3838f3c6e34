/**
 * The form fields of an Iceberg catalog while it is added or edited, and their conversion to the catalog's properties.
 */

import type { OfferedCatalog } from '../../../src-shared/wire/routes/tableCatalogs.ts';
import { CATALOG_FIELDS, type CatalogKind, CATALOG_WORDS as W } from '../../words/catalogs.ts';

/** A catalog that is being edited: the text of each field. */
export interface CatalogDraft {
  readonly name: string;
  readonly kind: CatalogKind;
  readonly values: Readonly<Record<string, string>>;
}

export const NEW_CATALOG: CatalogDraft = { name: '', kind: 'folder', values: {} };

/** The kind that the form uses for a catalog; null for a catalog that the form has no fields for. */
export function kindOf({ properties }: Pick<OfferedCatalog, 'properties'>): CatalogKind | null {
  const { type, uri = '', warehouse } = properties;
  if (type === 'glue') return 'glue';
  if (type === 'rest' || (type === undefined && /^https?:/.test(uri))) return 'rest';
  if (type !== undefined && type !== 'sql') return null;
  if (/^sqlite/.test(uri)) return 'sqlite';
  if (/^postgres/.test(uri)) return 'postgresql';
  return uri === '' && warehouse !== undefined ? 'folder' : null;
}

export function draftOf(catalog: OfferedCatalog): CatalogDraft {
  const kind = kindOf(catalog) ?? NEW_CATALOG.kind;
  const { uri = '' } = catalog.properties;
  const values = {
    ...catalog.properties,
    uri: kind === 'sqlite' ? uri.replace(/^sqlite[^:]*:\/\/\//, '') : uri,
  };
  return { name: catalog.name, kind, values };
}

/**
 * The properties to send; a null value keeps the stored secret.
 * @param before the catalog before editing: while the kind is the same, its properties without a field are preserved
 */
export function propertiesOf(
  { kind, values }: CatalogDraft,
  before: OfferedCatalog | null,
): Readonly<Record<string, string | null>> {
  const isSame = before !== null && kindOf(before) === kind;
  const next: Record<string, string | null> = isSame ? { ...before.properties } : {};
  const secretKeys = new Set(isSame ? before.secrets : []);
  for (const key of secretKeys) next[key] = null;
  for (const { key } of CATALOG_FIELDS[kind]) {
    const text = (values[key] ?? '').trim();
    if (text !== '') next[key] = key === 'uri' && kind === 'sqlite' ? `sqlite:///${text}` : text;
    else if (!secretKeys.has(key)) delete next[key];
  }
  next['type'] = kind === 'rest' || kind === 'glue' ? kind : 'sql';
  return next;
}

/** The error message of each invalid field; empty if the draft can be sent. */
export function problemsOf(
  { name, kind, values }: CatalogDraft,
  usedNames: readonly string[],
): Readonly<Record<string, string>> {
  const problems: Record<string, string> = {};
  if (!/^[A-Za-z][A-Za-z0-9_-]*$/.test(name)) problems['name'] = W.badName;
  else if (usedNames.includes(name)) problems['name'] = W.takenName(name);
  for (const { key, needed } of CATALOG_FIELDS[kind]) {
    if (needed === true && (values[key] ?? '').trim() === '') problems[key] = W.needed;
  }
  const uri = (values['uri'] ?? '').trim();
  if (uri !== '' && kind === 'rest' && !/^https?:\/\//.test(uri)) problems['uri'] = W.badAddress;
  if (uri !== '' && kind === 'postgresql' && !/^postgres(?:ql)?(?:\+\w+)?:\/\//.test(uri)) {
    problems['uri'] = W.badPostgres;
  }
  return problems;
}
