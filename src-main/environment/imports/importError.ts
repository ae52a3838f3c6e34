/** What a person gave to import cannot be taken; the message says which part and why. */
export class ImportError extends Error {
  override readonly name = 'ImportError';
}
