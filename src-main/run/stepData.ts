/** The external data of a step, copied to where the cell's process can open it. */

import type { PreparedData } from '../mount/dataAccess.ts';
import type { ReadingRequest } from './step.ts';
import type { StepTools } from './stepTools.ts';

/** External data that a cell's process can open. */
export type ReadyData = Extract<PreparedData, { kind: 'ready' }>;

/** Null if the cell uses no external data, at no cost. */
export async function prepareData(
  tools: Pick<StepTools, 'data'>,
  request: Pick<ReadingRequest, 'data'>,
  options: { readonly scratchDir: string; readonly signal: AbortSignal },
): Promise<PreparedData | null> {
  return request.data.length === 0 ? null : tools.data.prepare(request.data, options);
}
