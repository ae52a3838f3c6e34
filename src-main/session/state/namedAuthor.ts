/** The identity of clients that declare none (API supplement 3.8). */
const UNNAMED = 'local';

/** The author to write into the file: null for a client that gave no name (document 3, created_by). */
export function namedAuthor(identity: string): string | null {
  return identity === UNNAMED ? null : identity;
}
