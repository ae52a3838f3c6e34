/** An error of a database, a driver or the parsing of a statement, with a message for users. */
export class SqlError extends Error {
  override readonly name = 'SqlError';
  /** UTF-16 offset in the text that was sent (`Rendered.sql`), from 0; null when unknown. */
  readonly position: number | null;
  /** The database's own code, such as `42P01`; null when it has none. */
  readonly code: string | null;
  /** The database's suggestion, in its own words. */
  readonly hint: string | null;
  /** The failed statement of a write, from 0; null: the only one, or none. */
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
