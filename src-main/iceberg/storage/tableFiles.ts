/** Where the files of a table are: on this machine, or in a bucket. Locations are as the table's metadata has them. */
export interface TableFiles {
  /**
   * The whole content of a file.
   * @throws IcebergError: missing, refused, larger than `maxBytes`, or the signal's reason
   */
  read(location: string, options: ReadOptions): Promise<Uint8Array>;
  /**
   * A file of this machine with that content, for as long as the caller holds it.
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
  /** Removes the copy, where one was made. */
  release(): Promise<void>;
}
