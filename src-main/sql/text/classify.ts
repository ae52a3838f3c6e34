/** Classifies SQL statements as reading or writing, by their keywords. */

import { type Token, upperCaseWord } from '../../../src-shared/sql/scan.ts';

/** What a statement does, according to its keywords. */
interface Verb {
  /** In upper case: `SELECT`, `CREATE TABLE`. */
  readonly kind: string;
  readonly reads: boolean;
  readonly changesRows: boolean;
}

const READS = new Set([
  'SELECT',
  'VALUES',
  'TABLE',
  'FROM',
  'SHOW',
  'DESCRIBE',
  'DESC',
  'SUMMARIZE',
  'PIVOT',
  'UNPIVOT',
]);
const CHANGES_ROWS = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE', 'REPLACE']);
const OTHER_VERBS = new Set(
  `CREATE DROP ALTER TRUNCATE COPY PRAGMA ATTACH DETACH USE SET RESET CALL EXECUTE PREPARE DEALLOCATE GRANT REVOKE
  VACUUM ANALYZE ANALYSE CHECKPOINT REINDEX CLUSTER REFRESH COMMENT LOCK BEGIN START COMMIT END ROLLBACK ABORT
  SAVEPOINT RELEASE DECLARE FETCH CLOSE MOVE LISTEN NOTIFY UNLISTEN DISCARD DO IMPORT EXPORT INSTALL LOAD SECURITY
  REASSIGN UNDROP PUT GET LIST LS REMOVE RM ASSERT RAISE RETURN IF WHILE LOOP FOR REPEAT CASE`.split(/\s+/),
);
/** Words between CREATE and the kind of object. */
const CREATE_MODIFIERS = new Set(
  `OR REPLACE TEMP TEMPORARY TRANSIENT LOCAL GLOBAL UNLOGGED VOLATILE RECURSIVE SECURE UNIQUE EXTERNAL PERSISTENT
  ALTER DYNAMIC HYBRID FOREIGN CONSTRAINT`.split(/\s+/),
);

/**
 * Classifies a statement (docs/spec/sql.md, 1: select-like statements read; EXPLAIN without ANALYZE does too, PRAGMA
 * never). A statement that is not known to read counts as writing; a read connection refuses it in addition.
 * @param tokens of one statement, without comments; not empty
 * @returns null if no statement starts like this
 */
export function classify(tokens: readonly Token[]): Verb | null {
  const start = tokens.findIndex(({ text }) => text !== '(');
  const first = upperCaseWord(tokens[start]);
  if (first === 'EXPLAIN') return { kind: 'EXPLAIN', reads: !explainsByRunning(tokens), changesRows: false };
  if (first === 'WITH') return withVerb(tokens, start);
  if (READS.has(first)) return { kind: first, reads: readsOnly(tokens, start), changesRows: false };
  if (CHANGES_ROWS.has(first)) return { kind: first, reads: false, changesRows: true };
  return OTHER_VERBS.has(first)
    ? { kind: definitionKind(tokens, start), reads: false, changesRows: false }
    : null;
}

/** Whether an EXPLAIN runs its statement: `EXPLAIN ANALYZE …`, `EXPLAIN (FORMAT json, ANALYZE) …`. */
function explainsByRunning(tokens: readonly Token[]): boolean {
  let depth = 0;
  for (const token of tokens.slice(1)) {
    if (/^(ANALYZE|ANALYSE)$/.test(upperCaseWord(token))) return true;
    if (token.text === '(') depth += 1;
    else if (token.text === ')') depth -= 1;
    else if (depth === 0 && upperCaseWord(token) !== 'VERBOSE') return false;
  }
  return false;
}

/** The verb after the common table expressions. If one of those changes data, the whole statement writes. */
function withVerb(tokens: readonly Token[], start: number): Verb | null {
  let depth = 0;
  for (let i = start + 1; i < tokens.length; i += 1) {
    const token = tokens[i];
    if (token?.text === '(') depth += 1;
    else if (token?.text === ')') depth -= 1;
    if (depth > 0) continue;
    const word = upperCaseWord(token);
    if (CHANGES_ROWS.has(word)) return { kind: word, reads: false, changesRows: true };
    // `FROM` and `TABLE` start statements too, but only after the list of common table expressions.
    if (READS.has(word) && tokens[i - 1]?.text === ')') {
      return { kind: word, reads: readsOnly(tokens, start), changesRows: false };
    }
  }
  return tokens.some((token) => /^(SELECT|VALUES|TABLE|FROM)$/.test(upperCaseWord(token)))
    ? { kind: 'SELECT', reads: readsOnly(tokens, start), changesRows: false }
    : null;
}

/** False for a query that creates a table (`SELECT … INTO t`) or contains `WITH x AS (DELETE …)`. */
function readsOnly(tokens: readonly Token[], start: number): boolean {
  const isWith = upperCaseWord(tokens[start]) === 'WITH';
  return tokens.every((token, i) => {
    const word = upperCaseWord(token);
    if (word === 'INTO') return false;
    return !(isWith && CHANGES_ROWS.has(word) && word !== 'REPLACE' && tokens[i - 1]?.text === '(');
  });
}

/** The kind without modifiers: `CREATE OR REPLACE TEMP TABLE` is a `CREATE TABLE`. */
function definitionKind(tokens: readonly Token[], start: number): string {
  const first = upperCaseWord(tokens[start]);
  if (!/^(CREATE|DROP|ALTER)$/.test(first)) return first;
  const rest = tokens.slice(start + 1);
  const skip = first === 'CREATE' ? CREATE_MODIFIERS : new Set(['MATERIALIZED']);
  const at = rest.findIndex((token) => !skip.has(upperCaseWord(token)));
  const what = upperCaseWord(rest[at]);
  const object = what === 'MATERIALIZED' ? `MATERIALIZED ${upperCaseWord(rest[at + 1])}` : what;
  return object === '' ? first : `${first} ${object}`;
}
