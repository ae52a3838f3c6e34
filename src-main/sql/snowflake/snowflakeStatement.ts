/** Makes the text of a statement that is sent to Snowflake: with casts of its values and a snapshot time. */

import { DIALECTS } from '../../../src-shared/sql/dialect.ts';
import type { BoundStatement } from '../driver.ts';
import { withOriginalPosition } from '../originalPosition.ts';
import { type Insertion, render } from '../render.ts';
import { castInsertions, snowflakeBind } from './binds.ts';
import type { Execution } from './execute.ts';

/** A statement as it is sent to the service: casts around slots, and the snapshot time after each table. */
interface SnowflakeStatement {
  readonly execution: Execution;
  /** Converts the position of an error from the sent text to the text that the driver was given. */
  readonly withOriginalPosition: (error: unknown) => unknown;
}

/** @param moment checked by the caller, because it becomes part of the text */
export function snowflakeStatement(
  { statement, sql, binds }: BoundStatement,
  moment: string | null,
): SnowflakeStatement {
  const dialect = DIALECTS.snowflake;
  const insertions: readonly Insertion[] = [
    ...castInsertions(statement, binds),
    ...(moment === null ? [] : statement.tables.map(({ end }) => ({ at: end, text: atClause(moment) }))),
  ];
  const values = binds.map((bind) => snowflakeBind(bind).value);
  if (insertions.length === 0)
    return { execution: { sql, binds: values }, withOriginalPosition: (error) => error };
  const rendered = render(statement, dialect, insertions);
  return {
    execution: { sql: rendered.sql, binds: values },
    withOriginalPosition: (error) => withOriginalPosition(error, rendered, { statement, dialect }),
  };
}

function atClause(moment: string): string {
  return ` AT(TIMESTAMP => '${moment}'::TIMESTAMP_TZ)`;
}
