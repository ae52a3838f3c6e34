/** Decides whether the result of a SQL cell may be shared through the team's cache. */

import { createHash } from 'node:crypto';
import type { Connection } from '../../notebook/file/connectionBlocks.ts';
import { isInMemory } from '../../sql/inMemory.ts';
import { type CellStatement, hasCatalog } from '../../sql/readCell.ts';
import { sortedKeys } from '../provenance.ts';
import type { SqlStep } from '../step.ts';
import type { NotShared, Sharing } from '../team/sharing.ts';
import type { UsableSql } from './sqlUse.ts';

/** Statements whose result depends on their inputs only. */
const PURE_KINDS: ReadonlySet<string> = new Set(['SELECT', 'VALUES']);

/** Functions that read properties of the machine or the session; DuckDB's others compute. */
const ASKS_SESSION =
  /^(?:getenv|current_setting|current_user|user|session_user|current_database|current_schemas?|current_catalog|in_search_path|getvariable|nextval|currval|txid_current|version|pg_\w+|current_query\w*|connection_id|write_log|parse_duckdb_log_message|add_parquet_key)$/i;

/** The functions among these that are called without parentheses. */
const SESSION_WORD =
  /^(?:current_user|session_user|current_database|current_schema|current_catalog|current_role)$/i;

/**
 * How a SQL cell is shared: only if it computes from values of other cells, in a DuckDB without a file. The content of
 * any other database, and of files and mounts, is known by fingerprints that mean something on one machine only.
 */
export function sqlSharing(
  request: SqlStep,
  sqlFacts: {
    readonly use: UsableSql;
    readonly statements: readonly CellStatement[];
    /** The data frames that it reads like tables. */
    readonly frames: readonly string[];
    readonly key: string;
    readonly engine: string;
  },
): Sharing | NotShared {
  const why = whyNotShared(request, sqlFacts);
  if (why !== null) return { why };
  return {
    key: sqlFacts.key,
    runtime: runtimeOf(sqlFacts.use.connection, sqlFacts.engine),
    facts: 'covered',
    marks: {},
  };
}

function whyNotShared(
  request: SqlStep,
  { use, statements, frames }: Omit<Parameters<typeof sqlSharing>[1], 'key' | 'engine'>,
): string | null {
  const { connection, policy } = use;
  if (!request.cacheable) return 'it is not cached';
  const name = `the connection ${connection.name}`;
  if (use.write) return `it writes to ${name}`;
  if (connection.driver !== 'duckdb' || !isInMemory(connection)) {
    return `it reads the database of ${name}, whose content is not part of its key on another machine`;
  }
  if (hasCatalog(connection)) return `${name} shows a catalog, whose tables change outside the notebook`;
  if (Array.isArray(connection['mounts']) && connection['mounts'].length > 0) return `${name} shows mounts`;
  if (policy.kind === 'session' || policy.kind === 'ttl') return 'its result is only valid for a time';
  for (const { statement, tokens } of statements) {
    if (!PURE_KINDS.has(statement.kind)) return `${statement.kind} changes the session of its database`;
    if (statement.unnameable !== null) return `it reads ${statement.unnameable}`;
    const table = statement.tables.find(
      ({ parts }) => parts.length !== 1 || !frames.includes(parts[0] ?? ''),
    );
    if (table !== undefined) return `it reads ${table.parts.join('.')}, which is not a value of another cell`;
    const call = statement.calls.find(({ parts }) => ASKS_SESSION.test(parts.at(-1) ?? ''));
    if (call !== undefined) return `it calls ${call.parts.join('.')}, which reads its session`;
    const word = tokens.find(({ kind, text }) => kind === 'word' && SESSION_WORD.test(text));
    if (word !== undefined) return `it uses ${word.text}, which reads its session`;
  }
  return null;
}

/** The engine, the machine's kind, and the settings of the connection that can change a result. */
function runtimeOf(connection: Connection, engine: string): string {
  const { name: _name, ...settings } = connection;
  const parts = ['sql', engine, process.platform, process.arch, sortedKeys(settings)];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
