import { createHash } from 'node:crypto';
import type { Annotations, FetchAnnotation, TableAnnotation } from '../../src-shared/notebook/annotation.ts';
import type { Mount } from '../../src-shared/wire/cell.ts';

/**
 * One thing outside the notebook that a cell reads or writes: declared by a mount, a @fetch, a @dataset or a @table.
 * `key` names what is looked at, whoever asks; `stem` with a token is its part of a cell's provenance.
 */
export type DataWant = Common &
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
  /** The token that is known without looking: a pin; null where it has to be looked at. */
  readonly fixed: string | null;
}

/** What looking at one thing gave. */
export interface DataFact {
  readonly key: string;
  /** Its fingerprint, digest or version; null where it cannot be told: such a run never matches. */
  readonly token: string | null;
  /** Why it cannot be read now, in words; null where it can. */
  readonly problem: string | null;
  readonly errorCode?: 'fetch_pin_mismatch';
  readonly files?: number;
  readonly bytes?: number;
  /** Milliseconds since the epoch, before it was looked at. */
  readonly checkedAtMs: number;
}

/** Fingerprint of what is not there (outside-data). */
export const MISSING = 'missing';
/** A writable mount never makes a hit, and what its cell writes must not make its readers stale for ever. */
const WRITABLE = 'rw';
const UNRESOLVED = 'unresolved';

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** What a cell uses: notebook, cell and annotation mounts merged by name, then its other lines (annotations 1.2, 2). */
export function wantsOf(
  mounts: { readonly notebook: readonly Mount[]; readonly cell: readonly Mount[] },
  annotations: Pick<Annotations, 'mounts' | 'fetches' | 'datasets' | 'tables'>,
): readonly DataWant[] {
  const byName = new Map<string, Mount>();
  const own = annotations.mounts.map((mount): Mount => ({ ...mount, pin: null, options: {} }));
  for (const mount of [...mounts.notebook, ...mounts.cell, ...own]) byName.set(mount.name, mount);
  return [
    ...[...byName.values()].map(mountWant),
    ...annotations.fetches.map(fetchWant),
    ...annotations.datasets.map(({ variable, name, alias, version }): DataWant => {
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
    ...annotations.tables.map((table): DataWant => {
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

function mountWant(mount: Mount): DataWant {
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

function fetchWant(fetch: FetchAnnotation): DataWant {
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
 * Its line in a cell's provenance (provenance-and-cache 1).
 * @param run told apart from every other time where the token cannot be told
 */
export function lineOf(want: DataWant, fact: DataFact | undefined, run = ''): string {
  return `${want.stem}${want.fixed ?? fact?.token ?? UNRESOLVED + run}`;
}

/** Whether a token is known: without one a run is keyed by something no other run has. */
export function isResolved(want: DataWant, fact: DataFact | undefined): boolean {
  return want.fixed !== null || (fact !== undefined && fact.token !== null);
}

export function isWritable(want: DataWant): boolean {
  return want.kind === 'mount' && want.mount.mode === 'rw';
}

/** What a person knows the thing by. */
export function placeNameOf(want: DataWant): string {
  switch (want.kind) {
    case 'mount':
      return want.mount.uri;
    case 'fetch':
      return want.fetch.url;
    case 'dataset':
      return want.reference;
    case 'table':
      return want.table.uri;
    default:
      return want satisfies never;
  }
}
