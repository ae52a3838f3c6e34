/** Computes the key of a SQL cell's run from its statements, its inputs and the facts about its database. */

import type { BindValue } from '../../sql/bindValue.ts';
import type { CellStatement } from '../../sql/readCell.ts';
import { connectionId, sqlKey } from '../../sql/sqlKey.ts';
import { policySalt } from './keyInputs.ts';
import type { ConnectionFacts } from './knownConnections.ts';
import { pinLines } from './pinLines.ts';
import type { UsableSql } from './sqlUse.ts';

/** The inputs of a run's key, apart from the database's facts. */
export interface RunKeyParts {
  readonly use: UsableSql;
  readonly statements: readonly CellStatement[];
  readonly binds: readonly BindValue[];
  readonly digests: Readonly<Record<string, string>>;
  readonly credential: string | null;
  readonly lake: readonly string[];
  readonly nowMs: number;
}

/** The key of a run, with the facts gathered for it. */
export interface RunKey {
  readonly key: string;
  /** A source is only known at run time: no stored result matches. */
  readonly isDynamic: boolean;
  readonly keyWith: (extra: string) => string;
}

/** @param pins the snapshots of a catalog's tables, if the connection shows one */
export function runKey(
  parts: RunKeyParts,
  { identity, probe }: ConnectionFacts,
  pins: string | null,
): RunKey {
  const { use, statements } = parts;
  const catalog = String(use.connection['catalog'] ?? '');
  const pinned = pins === null ? { lines: [], isWhole: true } : pinLines(catalog, pins);
  const isDynamic =
    !pinned.isWhole ||
    (use.policy.kind === 'fingerprint' &&
      (probe.freshness === null || statements.some(({ statement }) => statement.unnameable !== null)));
  const keyWith = (extra: string | null) =>
    sqlKey({
      query: statements.map(({ tokens }) => tokens),
      binds: parts.binds,
      connectionId: connectionId(use.connection.driver, identity, parts.credential),
      upstream: parts.digests,
      salt: policySalt(use, parts.nowMs),
      freshness: extra === null ? probe.freshness : [...(probe.freshness ?? []), extra],
      schema: probe.schema,
      lake: [...parts.lake, ...pinned.lines],
    });
  return { key: keyWith(null), isDynamic, keyWith };
}
