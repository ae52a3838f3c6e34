import type { Allowance } from '../../src-shared/wire/harness.ts';
import type { ExecRequest } from '../exec/executor.ts';
import { isElsewhere } from './onWorker.ts';
import type { StepRequest } from './step.ts';

const MIB = 1024 * 1024;
/** Writing so much takes a twentieth of the time the cell had for it, or too little to be noticed. */
const HERE: Allowance = { bytes: 64 * MIB, bytes_per_second: 16 * MIB };
/** What a worker keeps travels. */
const ELSEWHERE: Allowance = { bytes: 4 * MIB, bytes_per_second: MIB };

/** Which names a run writes in full: those that are read, or of a leaf those nobody reads yet, within an allowance. */
export function storeOf(request: StepRequest): Pick<ExecRequest, 'store' | 'unread'> {
  const { consumed, defines, leaves, worker } = request;
  if (consumed.length > 0 || leaves === 'none') return { store: consumed };
  if (leaves === 'all') return { store: defines };
  return { store: defines, unread: isElsewhere(worker) ? ELSEWHERE : HERE };
}
