import { DIALECTS } from '../../../src-shared/sql/dialect.ts';
import type { BoundStatement } from '../driver.ts';
import { placedBack } from '../placedBack.ts';
import { type Insertion, render } from '../render.ts';
import { castInsertions, snowflakeBind } from './binds.ts';
import type { Execution } from './execute.ts';

/** A statement as the service gets it: casts around slots, and a moment behind each table. */
export interface Sent {
  readonly execution: Execution;
  /** An error's place in that text as one in the text the driver was given. */
  readonly placedBack: (error: unknown) => unknown;
}

/** @param moment checked by the caller: it becomes part of the text */
export function sentAs({ statement, sql, binds }: BoundStatement, moment: string | null): Sent {
  const dialect = DIALECTS.snowflake;
  const insertions: readonly Insertion[] = [
    ...castInsertions(statement, binds),
    ...(moment === null ? [] : statement.tables.map(({ end }) => ({ at: end, text: atClause(moment) }))),
  ];
  const values = binds.map((bind) => snowflakeBind(bind).value);
  if (insertions.length === 0) return { execution: { sql, binds: values }, placedBack: (error) => error };
  const rendered = render(statement, dialect, insertions);
  return {
    execution: { sql: rendered.sql, binds: values },
    placedBack: (error) => placedBack(error, rendered, { statement, dialect }),
  };
}

function atClause(moment: string): string {
  return ` AT(TIMESTAMP => '${moment}'::TIMESTAMP_TZ)`;
}
