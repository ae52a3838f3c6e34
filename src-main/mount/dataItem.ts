/** The external data that a cell declares (mounts, fetches, datasets, tables), and its part of the cell's key. */

import { createHash } from 'node:crypto';
import type { Annotations, FetchAnnotation, TableAnnotation } from '../../src-shared/notebook/annotation.ts';
import type { Mount } from '../../src-shared/wire/cell.ts';

/**
 * One item of external data that a cell reads or writes: declared by a mount, a @fetch, a @dataset or a @table. `key`
 * identifies the item for checks, for any cell; `stem` with a token is its part of a cell's provenance.
 */
export type DataItem = Common &
  (
    | { readonly kind: 'mount'; readonly mount: Mount }
    | { readonly kind: 'fetch'; readonly fetch: FetchAnnotation }
    | { readonly kind: 'dataset'; readonly reference: string }
    | { readonly kind: 'table'; readonly table: TableAnnotation }
  );

interface Common {
  /** The name in the cell's namespace. */
  readonly name: string;
  readonly key: string;
  readonly stem: string;
  /** The token if it is known without a check, as for a pin; null if a check is needed. */
  readonly fixed: string | null;
}

/** The result of checking one item. */
export interface DataFact {
  readonly key: string;
  /** The item's fingerprint, digest or version; null if unknown: such a run never matches. */
  readonly token: string | null;
  /** Why it cannot be read now; null if it can. */
  readonly problem: string | null;
  readonly errorCode?: 'fetch_pin_mismatch';
  readonly files?: number;
  readonly bytes?: number;
  /** Milliseconds since the epoch, taken before the check. */
  readonly checkedAtMs: number;
}

/** The fingerprint of a missing item (docs/spec/outside-data.md, 1). */
export const MISSING = 'missing';
/**
 * The token of a writable mount, which is never a cache hit: the writes of its cell must not keep its readers stale
 * forever.
 */
const WRITABLE = 'rw';
const UNRESOLVED = 'unresolved';

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/**
 * The external data of a cell: notebook, cell and annotation mounts merged by name, then its other lines
 * (docs/spec/annotations.md, 1.2, 2).
 */
export function dataItemsOf(
  mounts: { readonly notebook: readonly Mount[]; readonly cell: readonly Mount[] },
  annotations: Pick<Annotations, 'mounts' | 'fetches' | 'datasets' | 'tables'>,
): readonly DataItem[] {
  const byName = new Map<string, Mount>();
  const own = annotations.mounts.map((mount): Mount => ({ ...mount, pin: null, options: {} }));
  for (const mount of [...mounts.notebook, ...mounts.cell, ...own]) byName.set(mount.name, mount);
  return [
    ...[...byName.values()].map(mountItem),
    ...annotations.fetches.map(fetchItem),
    ...annotations.datasets.map(({ variable, name, alias, version }): DataItem => {
      const reference = name + (alias !== null ? `@${alias}` : version !== null ? `@v=${version}` : '');
      return {
        kind: 'dataset',
        name: variable,
        reference,
        key: `dataset\0${reference}`,
        stem: `${variable}:dataset:${reference}:`,
        fixed: null,
      };
    }),
    ...annotations.tables.map((table): DataItem => {
      const { name, uri, snapshotId } = table;
      return {
        kind: 'table',
        name,
        table,
        key: `table\0${uri}`,
        stem: `${name}:table:${uri}:`,
        fixed: snapshotId,
      };
    }),
  ];
}

function mountItem(mount: Mount): DataItem {
  const { name, uri, mode, pin, options, credential } = mount;
  return {
    kind: 'mount',
    name,
    mount,
    key: JSON.stringify(['mount', uri, credential, options]),
    stem: `${name}:${uri}${credential === null ? '' : `:credential=${credential}`}:`,
    fixed: mode === 'rw' ? WRITABLE : pin === null ? null : sha256(pin),
  };
}

function fetchItem(fetch: FetchAnnotation): DataItem {
  const { name, url, sha256: pin } = fetch;
  return {
    kind: 'fetch',
    name,
    fetch,
    key: JSON.stringify(['fetch', url, pin, fetch.refetch]),
    stem: `${name}:fetch:${url}:`,
    fixed: pin,
  };
}

/**
 * The item's line in a cell's provenance (docs/spec/provenance-and-cache.md, 1).
 * @param run makes the line unique if the token is unknown
 */
export function provenanceLine(item: DataItem, fact: DataFact | undefined, run = ''): string {
  return `${item.stem}${item.fixed ?? fact?.token ?? UNRESOLVED + run}`;
}

/** Whether a token is known: without one a run has a key that no other run has. */
export function isResolved(item: DataItem, fact: DataFact | undefined): boolean {
  return item.fixed !== null || (fact !== undefined && fact.token !== null);
}

export function isWritable(item: DataItem): boolean {
  return item.kind === 'mount' && item.mount.mode === 'rw';
}

/** The item's display name. */
export function itemName(item: DataItem): string {
  switch (item.kind) {
    case 'mount':
      return item.mount.uri;
    case 'fetch':
      return item.fetch.url;
    case 'dataset':
      return item.reference;
    case 'table':
      return item.table.uri;
    default:
      return item satisfies never;
  }
}
