/** Chooses which variables of a cell a run writes in full for the store. */

import type { Allowance } from '../../src-shared/wire/harness.ts';
import type { ExecRequest } from '../exec/executor.ts';
import { isRemoteWorker } from './onWorker.ts';
import type { CodeRequest } from './step.ts';

const MIB = 1024 * 1024;
/** Writing this much takes a twentieth of the cell's duration, or is too short to notice. */
const LOCAL_ALLOWANCE: Allowance = { bytes: 64 * MIB, bytes_per_second: 16 * MIB };
/** Results of a worker are sent over the network. */
const WORKER_ALLOWANCE: Allowance = { bytes: 4 * MIB, bytes_per_second: MIB };

/**
 * The names a run writes in full: those that are read or, for a leaf, the unread ones within an allowance.
 */
export function namesToStore(request: CodeRequest): Pick<ExecRequest, 'store' | 'unread'> {
  const { consumed, defines, leaves, worker } = request;
  if (consumed.length > 0 || leaves === 'none') return { store: consumed };
  if (leaves === 'all') return { store: defines };
  return { store: defines, unread: isRemoteWorker(worker) ? WORKER_ALLOWANCE : LOCAL_ALLOWANCE };
}
