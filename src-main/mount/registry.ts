/** One version of a dataset, with its bytes at hand. */
export interface DatasetVersion {
  readonly id: string;
  readonly version: number;
  readonly contentType: string;
  /** A file that stays as it is while a run reads it. */
  readonly file: string;
}

/** Where `@dataset` names are looked up: the server's registry or a remote store. */
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

/** Where `@table` names are looked up. */
export interface TableCatalogs {
  /** @param uri `<warehouse>#<ns>.<t>`, `<catalog>:<ns>.<t>` or `<ns>.<t>` */
  currentSnapshot(
    uri: string,
    signal: AbortSignal,
  ): Promise<
    /** Ids exceed what a number holds. */
    | { readonly kind: 'snapshot'; readonly id: string }
    /** The table has none yet: its cell runs, and is not cached (outside-data). */
    | { readonly kind: 'empty' }
    | { readonly kind: 'problem'; readonly problem: string }
  >;
}

/** A server without a registry: every dataset fails its cell in words. */
export const NO_REGISTRY: DatasetRegistry = {
  resolve: async (reference) => ({
    kind: 'problem',
    problem: `This server has no dataset registry, so "${reference}" cannot be found.`,
  }),
};

/** A version that reads no catalogs: a table works with a pin, and fails its cell in words without one. */
export const NO_CATALOGS: TableCatalogs = {
  currentSnapshot: async (uri) => ({
    kind: 'problem',
    problem: `The newest snapshot of ${uri} is unknown, because this version of Cellar does not read catalogs. Pin a snapshot with snapshot=<id>.`,
  }),
};
