import type { DatasetRegistry, DatasetVersion, TableCatalogs } from '../registry.ts';

/** Datasets and tables by reference, in memory; null for a table without snapshots. */
export function createFakeRegistry(
  entries: {
    readonly datasets?: Readonly<Record<string, DatasetVersion>>;
    readonly tables?: Readonly<Record<string, string | null>>;
  } = {},
): DatasetRegistry & TableCatalogs {
  const { datasets = {}, tables = {} } = entries;
  return {
    async resolve(reference) {
      const dataset = Object.hasOwn(datasets, reference) ? datasets[reference] : undefined;
      return dataset === undefined
        ? { kind: 'problem', problem: `There is no dataset "${reference}".` }
        : { kind: 'found', dataset };
    },
    async currentSnapshot(uri) {
      const id = Object.hasOwn(tables, uri) ? tables[uri] : undefined;
      if (id === undefined) return { kind: 'problem', problem: `There is no table ${uri}.` };
      return id === null ? { kind: 'empty' } : { kind: 'snapshot', id };
    },
  };
}
