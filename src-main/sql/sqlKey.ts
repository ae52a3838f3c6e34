/** Computes the key that the result of a SQL cell is stored under. */

import { createHash } from 'node:crypto';
import type { Token } from '../../src-shared/sql/scan.ts';
import type { BindValue } from './bindValue.ts';

/** Everything the result of a SQL cell depends on (docs/spec/sql.md, 2). */
export interface SqlKeyParts {
  /** The tokens of each statement, without comments. */
  readonly query: readonly (readonly Token[])[];
  /** The value of each slot, in order over all statements. */
  readonly binds: readonly BindValue[];
  readonly connectionId: string;
  /** Digests of the values that the cell reads. */
  readonly upstream: Readonly<Record<string, string>>;
  readonly salt: string;
  readonly freshness: readonly string[] | null;
  readonly schema: readonly string[] | null;
  /** The mounts that a duckdb connection shows; left out when there are none. */
  readonly lake: readonly string[];
}

/** SHA-256 hex of the parts as compact JSON with sorted keys. */
export function sqlKey(parts: SqlKeyParts): string {
  const { query, binds, connectionId, upstream, salt, freshness, schema, lake } = parts;
  return sha256(
    sortedJson({
      query: query.map(tokenTexts),
      binds: binds.map((bind) => [bind.type, bindText(bind)]),
      connection_id: connectionId,
      upstream,
      cache_salt: salt,
      freshness,
      schema,
      ...(lake.length === 0 ? {} : { lake }),
    }),
  );
}

/** Identifies a connection: the identity of its driver, and the name of its credential (docs/spec/sql.md, 2). */
export function connectionId(
  driver: string,
  identity: Readonly<Record<string, unknown>>,
  credential: string | null,
): string {
  const id = sha256(sortedJson({ driver, ...identity }));
  return credential === null ? id : sha256(`${id}|credential=${credential}`);
}

/** A lossless text for each value, also for bigints, bytes and floats that JSON does not have. */
function bindText(bind: BindValue): string | boolean | null {
  if (bind.type === 'null' || bind.type === 'bool') return bind.value;
  if (bind.type === 'bytes') return Buffer.from(bind.value).toString('base64');
  if (bind.type === 'float') return Object.is(bind.value, -0) ? '-0' : String(bind.value);
  return String(bind.value);
}

/** Words that are never an unquoted name in any of the databases. */
const KEYWORDS = new Set(
  `SELECT FROM WHERE GROUP BY HAVING ORDER LIMIT OFFSET UNION INTERSECT EXCEPT ALL DISTINCT AS ON USING JOIN INNER
  LEFT RIGHT FULL OUTER CROSS AND OR NOT IN IS NULL BETWEEN LIKE CASE WHEN THEN ELSE END EXISTS WITH INSERT INTO
  VALUES UPDATE SET DELETE CREATE TABLE DROP ALTER ASC DESC`.split(/\s+/),
);

/** Keywords in capitals, except names after AS; everything else as written. */
function tokenTexts(tokens: readonly Token[]): readonly string[] {
  return tokens.map((token, i) => {
    if (token.kind !== 'word') return token.text;
    const word = token.text.toUpperCase();
    const isName = tokens[i - 1]?.text.toUpperCase() === 'AS' || tokens[i - 1]?.text === '.';
    return KEYWORDS.has(word) && !isName ? word : token.text;
  });
}

function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
      : inner,
  );
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
