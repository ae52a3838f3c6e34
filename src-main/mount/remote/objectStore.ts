/** The interface of an object store (S3, Google Cloud Storage, Azure) from which mounts are read. */

/** One object below a mount's prefix. */
export interface RemoteObject {
  /** The complete key. */
  readonly key: string;
  readonly size: number;
  /** Changes with the bytes: an ETag or a generation. */
  readonly etag: string;
  /** ISO UTC. */
  readonly modified: string;
}

/** One bucket or container. Bytes are transferred through files, never held in memory as a whole. */
export interface ObjectStore {
  /** Every object whose key begins with `prefix`. @throws StoreProblem */
  list(prefix: string, signal: AbortSignal): Promise<readonly RemoteObject[]>;
  /**
   * Writes exactly that version to a file that does not exist yet. @throws StoreProblem, also if the object
   * has changed
   */
  download(object: RemoteObject, file: string, signal: AbortSignal): Promise<void>;
  /** @throws StoreProblem */
  upload(file: string, key: string, signal: AbortSignal): Promise<void>;
}

/** A failure of an object store, as a message for a user. */
export class StoreProblem extends Error {
  override readonly name = 'StoreProblem';
}

/** The message of a failure, the same for all stores. */
export function problemFor(
  status: number | null,
  about: { readonly place: string; readonly doing: 'list' | 'read' | 'write'; readonly detail: string },
): StoreProblem {
  const { place, doing, detail } = about;
  switch (status) {
    case 401:
    case 403:
      return new StoreProblem(
        `${place} cannot be ${doing === 'list' ? 'listed' : doing === 'read' ? 'read' : 'written'} with this credential (${status} ${detail}).`,
      );
    case 404:
      return new StoreProblem(`There is no ${place} (404 ${detail}).`);
    case 412:
      return new StoreProblem(`${place} was changed while it was being copied. Run the cell again.`);
    default:
      return new StoreProblem(
        `${place} cannot be ${doing === 'list' ? 'listed' : doing === 'read' ? 'read' : 'written'} now: ${detail}.`,
      );
  }
}
