import { setTimeout as delay } from 'node:timers/promises';
import type { DataAccess } from '../../mount/dataAccess.ts';
import type { DataFact } from '../../mount/want.ts';
import { allData } from '../keys/data.ts';
import type { SessionState } from '../state/state.ts';

/** How long opening waits for what cells use from outside; what takes longer is told when it is there. */
const FIRST_LOOK_MS = 250;

/** What lies on this machine is looked at before the notebook is shown, so that a ready cell opens ready. */
export async function firstLook(state: SessionState, data: DataAccess): Promise<readonly DataFact[]> {
  const wants = [...allData(state).values()];
  if (wants.length === 0) return [];
  const facts: DataFact[] = [];
  const looks = wants.map(async (want) => {
    facts.push(
      ...(await data.look([want], { purpose: 'status', signal: AbortSignal.timeout(FIRST_LOOK_MS) })),
    );
  });
  // A look that breaks is made again, and logged, by the watch between runs: it must not keep a notebook shut.
  await Promise.race([Promise.allSettled(looks), delay(FIRST_LOOK_MS, null, { ref: false })]);
  return [...facts];
}
