/** The interfaces that resolve `@dataset` and `@table` names of cells to versions. */

/** One version of a dataset, with its file. */
export interface DatasetVersion {
  readonly id: string;
  readonly version: number;
  readonly contentType: string;
  /** A file that does not change while a run reads it. */
  readonly file: string;
}

/** Looks up `@dataset` names: the server's registry or a remote store. */
export interface DatasetRegistry {
  /** @param reference `name`, `name@alias` or `name@v=n` */
  resolve(
    reference: string,
    signal: AbortSignal,
  ): Promise<
    | { readonly kind: 'found'; readonly dataset: DatasetVersion }
    | { readonly kind: 'problem'; readonly problem: string }
  >;
}

/** Looks up `@table` names. */
export interface TableCatalogs {
  /** @param uri `<warehouse>#<ns>.<t>`, `<catalog>:<ns>.<t>` or `<ns>.<t>` */
  currentSnapshot(
    uri: string,
    signal: AbortSignal,
  ): Promise<
    /** A string, because ids may exceed the range of numbers. */
    | { readonly kind: 'snapshot'; readonly id: string }
    /** The table has no snapshot yet: its cell runs, and is not cached (docs/spec/outside-data.md, 2). */
    | { readonly kind: 'empty' }
    | { readonly kind: 'problem'; readonly problem: string }
  >;
}

/** A server without a registry: every dataset fails its cell with a message. */
export const NO_REGISTRY: DatasetRegistry = {
  resolve: async (reference) => ({
    kind: 'problem',
    problem: `This server has no dataset registry, so "${reference}" cannot be found.`,
  }),
};

/** A server without catalogs: a table works with a pin, and fails its cell with a message without one. */
export const NO_CATALOGS: TableCatalogs = {
  currentSnapshot: async (uri) => ({
    kind: 'problem',
    problem: `The newest snapshot of ${uri} is unknown, because this server has no catalogs. Pin a snapshot with snapshot=<id>.`,
  }),
};
