/** The files of a table, on this machine or in a bucket. Locations are those in the table's metadata. */
export interface TableFiles {
  /**
   * The whole content of a file.
   * @throws IcebergError for a missing file, a refused access and a file larger than `maxBytes`; the signal's
   * reason
   */
  read(location: string, options: ReadOptions): Promise<Uint8Array>;
  /**
   * A local file with that content, which exists until the caller releases it.
   * @throws IcebergError as `read`
   */
  local(location: string, signal: AbortSignal): Promise<LocalFile>;
}

export interface ReadOptions {
  readonly signal: AbortSignal;
  readonly maxBytes: number;
}

export interface LocalFile {
  readonly path: string;
  /** Removes the local copy, if there is one. */
  release(): Promise<void>;
}
