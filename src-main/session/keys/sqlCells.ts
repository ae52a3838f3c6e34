/** What the step and the key of a SQL cell need from the notebook: its connection, cache policy and catalogs. */

import { createHash } from 'node:crypto';
import type { SqlUse } from '../../run/sql/sqlUse.ts';
import { policyOf } from '../../sql/readCell.ts';
import type { CellState, SessionState } from '../state/state.ts';

/** What the step of a SQL cell needs from the notebook; null for cells of other languages. */
export function sqlUseOf(state: SessionState, cell: CellState): SqlUse | null {
  return cell.language === 'sql' ? sqlUse(state, cell) : null;
}

/** What the step of a SQL cell needs from the notebook. */
export function sqlUse(state: SessionState, cell: CellState): SqlUse {
  const { sql, cache } = cell.analysis.annotations;
  const name = sql.connection;
  const connection = state.file.connections.find((block) => block.name === name);
  const rules = {
    write: sql.write,
    policy: policyOf(cache, sql.write),
    sessionId: state.sessionId,
    catalogs: state.file.catalogs,
  };
  return connection === undefined
    ? { connection: null, problem: whyNoConnection(state, name), ...rules }
    : { connection, ...rules };
}

function whyNoConnection(state: SessionState, name: string | null): string {
  if (name === null) return 'This cell has no connection. Add a line # @sql connection=<name> at the top.';
  const malformed = state.file.malformedConnections.find((block) => block.name === name);
  return malformed === undefined
    ? `notebook.toml declares no connection "${name}".`
    : `The connection "${name}" in notebook.toml cannot be used: ${malformed.error}.`;
}

/** The parts of the connection and the policy that belong to a SQL cell's provenance, without its auth. */
export function sqlInputs(state: SessionState, cell: CellState): readonly string[] {
  const use = sqlUseOf(state, cell);
  if (use === null) return NONE;
  const { auth: _auth, ...connectionIdentity } = use.connection ?? { auth: {} };
  const text = JSON.stringify([connectionIdentity, use.write, use.policy]);
  return [`sql:${createHash('sha256').update(text).digest('hex')}`];
}

/**
 * The lines of a SQL cell's key about its connection and policy. Whether the data behind a stored result changed is
 * checked when the cell runs: with `@cache forever` another session accepts a stored result by these lines, otherwise
 * only by its reopen identity (docs/spec/staleness-and-runs.md, 1).
 */
export function sqlLines(state: SessionState, cell: CellState): readonly string[] {
  const use = sqlUseOf(state, cell);
  if (use === null) return NONE;
  const inputs = sqlInputs(state, cell);
  return use.policy.kind === 'forever' ? inputs : [...inputs, `sql:session=${use.sessionId}`];
}

const NONE: readonly string[] = [];

/** The lines of `sqlLines` as one text, for comparison; empty for cells of other languages. */
export function sqlText(state: SessionState, cell: CellState): string {
  return cell.language === 'sql' ? sqlLines(state, cell).join('\n') : '';
}
