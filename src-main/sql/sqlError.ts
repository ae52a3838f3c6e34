/** What a database, a driver or the reading of a statement says is wrong, in words a person can act on. */
export class SqlError extends Error {
  override readonly name = 'SqlError';
  /** UTF-16 offset into the text that was sent (`Rendered.sql`), from 0; null where nobody said. */
  readonly position: number | null;
  /** The database's own code, like `42P01`; null where it has none. */
  readonly code: string | null;
  /** What the database suggests, as it says it. */
  readonly hint: string | null;
  /** Which statement of a write, from 0; null: the only one, or none. */
  readonly statement: number | null;

  constructor(
    message: string,
    facts: {
      readonly position?: number | null;
      readonly code?: string | null;
      readonly hint?: string | null;
      readonly statement?: number | null;
      readonly cause?: unknown;
    } = {},
  ) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.position = facts.position ?? null;
    this.code = facts.code ?? null;
    this.hint = facts.hint ?? null;
    this.statement = facts.statement ?? null;
  }
}
