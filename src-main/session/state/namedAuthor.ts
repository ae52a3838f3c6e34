/** The author of an edit, as notebook.toml records it. */

/** The identity of clients that send none (docs/spec/live-protocol.md, 8). */
const UNNAMED = 'local';

/** The author to write to the file: null for a client that gave no name (docs/spec/notebook-file.md, 1 to 4). */
export function namedAuthor(identity: string): string | null {
  return identity === UNNAMED ? null : identity;
}
