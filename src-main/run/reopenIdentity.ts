import { createHash } from 'node:crypto';
import { parseAnnotations } from '../../src-shared/notebook/annotations.ts';
import { promptSettings } from './prompt/promptFacts.ts';
import { sortedKeys } from './provenance.ts';
import { saltOf } from './sql/freshness.ts';
import type { StepRequest } from './step.ts';

/** The parts of a run, or of a cell as it would run now, that the identity is made from. */
type Identified = Pick<StepRequest, 'source' | 'widget' | 'ai' | 'sql'>;

/**
 * What must be unchanged, in addition to its provenance, for another session to accept a cell's recorded run
 * (staleness-and-runs 1): the values of a widget, the parameters of a prompt, the connection of a SQL cell and the
 * period of its policy. A digest, so that it reveals nothing. Null without any of these, and if only a check
 * can tell whether the data changed (fingerprint, snapshot).
 */
export function reopenIdentity({ source, widget, ai, sql }: Identified, nowMs: number): string | null {
  if (widget !== null) return digestOf(widget.controls.map(({ name, text }) => [name, text]));
  if (ai !== null) {
    const { attempts: _, ...asked } = promptSettings(parseAnnotations(source, 'prompt').prompt, ai);
    return digestOf(asked);
  }
  if (sql == null || sql.connection === null) return null;
  if (sql.policy.kind === 'fingerprint' || sql.policy.kind === 'snapshot') return null;
  const { auth: _, ...said } = sql.connection;
  return digestOf([said, saltOf(sql, nowMs)]);
}

function digestOf(parts: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(sortedKeys(parts)))
    .digest('hex');
}
