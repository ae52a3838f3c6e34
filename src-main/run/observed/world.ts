/** Computes the world of a value: what it depends on beyond its bytes (docs/soundness.md). */

import { createHash } from 'node:crypto';
import type { ArtifactRow } from '../../artifacts/artifact.ts';
import type { ReadingRequest } from '../step.ts';
import type { Observation } from './observation.ts';

/**
 * What a value depends on beyond its bytes: a digest over everything between it and the sources that may have
 * changed the environment of a reader. Two versions of a value with equal bytes answer for each other only if
 * their worlds are equal, too. So after an edit that changes neither, the cells below need not run, while a
 * changed mount, variable or package, a `@nocache` cell that ran again and a cell that writes files always
 * make them run.
 */
export const WORLD_PARAM = 'world';

/** The world of a stored value; null if its run was not observed: such a value never matches by its bytes. */
export function worldIn({ params }: Pick<ArtifactRow, 'params'>): string | null {
  return params[WORLD_PARAM] ?? null;
}

/** The world of the values that a run of this step makes. */
export function worldOf(
  request: ReadingRequest,
  run: { readonly runId: string; readonly observation: Observation | null },
): string {
  const { envHash, inputs, facts } = request;
  const lines = [
    `env=${envHash}`,
    ...facts.data.map(({ kind, name, uri, token }) => `${kind}:${name}:${uri}:${token ?? run.runId}`),
    ...inputs.map(
      ({ row }) => `input=${row === null ? '' : (worldIn(row) ?? row.params['run'] ?? row.contentSha256)}`,
    ),
    ...(isEffectFree(request, run.observation) ? [] : [`run=${run.runId}`]),
  ];
  const unique = [...new Set(lines)].sort();
  return createHash('sha256').update(unique.join('\0')).digest('hex');
}

/** Whether running again cannot have changed anything but the values themselves. */
function isEffectFree(request: ReadingRequest, observation: Observation | null): boolean {
  if (!request.cacheable) return false;
  switch (request.language) {
    case 'sql':
      return !request.sql.write;
    case 'prompt':
      return true;
    case 'python':
    case 'r':
      return observation !== null && observation.open.length === 0 && observation.wrote.length === 0;
    default:
      return request satisfies never;
  }
}
