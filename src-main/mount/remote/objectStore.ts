/** One object below a mount's prefix. */
export interface RemoteObject {
  /** The whole key. */
  readonly key: string;
  readonly size: number;
  /** Changes with the bytes: an ETag or a generation. */
  readonly etag: string;
  /** ISO UTC. */
  readonly modified: string;
}

/** One bucket or container. Bytes pass by disk; nothing is held in memory whole. */
export interface ObjectStore {
  /** Every object whose key begins with `prefix`. @throws StoreProblem */
  list(prefix: string, signal: AbortSignal): Promise<readonly RemoteObject[]>;
  /** Writes that very version to a file that is not there yet. @throws StoreProblem, also where it is another by now */
  download(object: RemoteObject, file: string, signal: AbortSignal): Promise<void>;
  /** @throws StoreProblem */
  upload(file: string, key: string, signal: AbortSignal): Promise<void>;
}

/** What an object store will not or cannot do, in words a person can use. */
export class StoreProblem extends Error {
  override readonly name = 'StoreProblem';
}

/** The same failure in the same words, whichever store it came from. */
export function problemFor(
  status: number | null,
  about: { readonly place: string; readonly doing: 'list' | 'read' | 'write'; readonly detail: string },
): StoreProblem {
  const { place, doing, detail } = about;
  switch (status) {
    case 401:
    case 403:
      return new StoreProblem(
        `${place} refuses to be ${doing === 'list' ? 'listed' : doing === 'read' ? 'read' : 'written'} with this credential (${status} ${detail}).`,
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
