import { createHash } from 'node:crypto';
import { parseAnnotations } from '../../src-shared/notebook/annotations.ts';
import { promptSettings } from './prompt/promptFacts.ts';
import { sortedKeys } from './provenance.ts';
import { saltOf } from './sql/freshness.ts';
import type { StepRequest } from './step.ts';

/** What of a run, or of a cell as it would run now, the identity is made from. */
type Identified = Pick<StepRequest, 'source' | 'widget' | 'ai' | 'sql'>;

/**
 * What, beside its provenance, has to be as it was for another session to believe a cell's recorded run (semantics
 * 5.1): the values of a widget, how a prompt asks, the connection of a SQL cell and for how long its policy holds.
 * A digest, so that it tells nothing. Null where there is nothing of that kind, and where nobody can say beforehand
 * whether the data changed (fingerprint, snapshot): those have to look again.
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
