/** A file cannot be imported; the message says which part and why. */
export class ImportError extends Error {
  override readonly name = 'ImportError';
}
