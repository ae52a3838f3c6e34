import { DIALECTS } from '../../../src-shared/sql/dialect.ts';
import type { BoundStatement } from '../driver.ts';
import { placedBack } from '../placedBack.ts';
import { type Insertion, render } from '../render.ts';
import { castInsertions, snowflakeBind } from './binds.ts';
import type { Execution } from './execute.ts';

/** A statement in the form that is sent: with casts around slots and a snapshot time after each table. */
export interface Sent {
  readonly execution: Execution;
  /** Converts an error's position in the sent text to the position in the driver's text. */
  readonly placedBack: (error: unknown) => unknown;
}

/** @param snapshot a time that the caller has checked, because it becomes part of the text */
export function sentAs({ statement, sql, binds }: BoundStatement, snapshot: string | null): Sent {
  const dialect = DIALECTS.snowflake;
  const insertions: readonly Insertion[] = [
    ...castInsertions(statement, binds),
    ...(snapshot === null ? [] : statement.tables.map(({ end }) => ({ at: end, text: atClause(snapshot) }))),
  ];
  const values = binds.map((bind) => snowflakeBind(bind).value);
  if (insertions.length === 0) return { execution: { sql, binds: values }, placedBack: (error) => error };
  const rendered = render(statement, dialect, insertions);
  return {
    execution: { sql: rendered.sql, binds: values },
    placedBack: (error) => placedBack(error, rendered, { statement, dialect }),
  };
}

function atClause(time: string): string {
  return ` AT(TIMESTAMP => '${time}'::TIMESTAMP_TZ)`;
}
