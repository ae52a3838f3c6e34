/**
 * Computes what, beyond the key of a cell's recorded run, must be unchanged for the next session to accept that run.
 */

import { createHash } from 'node:crypto';
import { parseAnnotations } from '../../src-shared/notebook/annotations.ts';
import { promptSettings } from './prompt/promptFacts.ts';
import { sortedKeys } from './provenance.ts';
import { policySalt } from './sql/keyInputs.ts';
import type { SqlUse } from './sql/sqlUse.ts';
import type { CodeRequest, PromptStep, SqlStep, WidgetStep } from './step.ts';

/** The parts of a run, or of a cell as it would run now, that the identity is made from. */
export type IdentitySource =
  | Pick<WidgetStep, 'language' | 'widget'>
  | Pick<PromptStep, 'language' | 'source' | 'ai'>
  | Pick<SqlStep, 'language' | 'sql'>
  | Pick<CodeRequest, 'language'>;

/**
 * What must be unchanged, in addition to its provenance, for another session to accept a cell's recorded run
 * (docs/spec/staleness-and-runs.md, 1): the values of a widget, the parameters of a prompt, the connection of a SQL
 * cell and the period of its policy. A digest, so that it reveals nothing. Null without any of these, and if only a
 * check can tell whether the data changed (fingerprint, snapshot).
 */
export function reopenIdentity(step: IdentitySource, nowMs: number): string | null {
  switch (step.language) {
    case 'widget':
      return digestOf(step.widget.controls.map(({ name, text }) => [name, text]));
    case 'prompt': {
      const { prompt } = parseAnnotations(step.source, step.language);
      const { attempts: _, ...identitySettings } = promptSettings(prompt, step.ai);
      return digestOf(identitySettings);
    }
    case 'sql':
      return sqlIdentity(step.sql, nowMs);
    case 'python':
    case 'r':
      return null;
    default:
      return step satisfies never;
  }
}

function sqlIdentity(sql: SqlUse, nowMs: number): string | null {
  if (sql.connection === null) return null;
  if (sql.policy.kind === 'fingerprint' || sql.policy.kind === 'snapshot') return null;
  const { auth: _, ...connectionIdentity } = sql.connection;
  return digestOf([connectionIdentity, policySalt(sql, nowMs)]);
}

function digestOf(parts: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(sortedKeys(parts)))
    .digest('hex');
}
