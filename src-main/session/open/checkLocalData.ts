/** Checks the local data of cells (files, folders) before a newly opened notebook is shown. */

import { setTimeout as delay } from 'node:timers/promises';
import type { DataAccess } from '../../mount/dataAccess.ts';
import type { DataFact } from '../../mount/dataItem.ts';
import { allData } from '../keys/data.ts';
import type { SessionState } from '../state/state.ts';

/** How long opening waits for the check of external data; slower results are reported when they arrive. */
const FIRST_CHECK_MS = 250;

/** Checks local data before the notebook is shown, so that a ready cell opens as ready. */
export async function checkLocalData(state: SessionState, data: DataAccess): Promise<readonly DataFact[]> {
  const items = [...allData(state).values()];
  if (items.length === 0) return [];
  const facts: DataFact[] = [];
  const looks = items.map(async (item) => {
    facts.push(
      ...(await data.check([item], { purpose: 'status', signal: AbortSignal.timeout(FIRST_CHECK_MS) })),
    );
  });
  // The watch between runs repeats and logs a failed check: it must not prevent opening the notebook.
  await Promise.race([Promise.allSettled(looks), delay(FIRST_CHECK_MS, null, { ref: false })]);
  return [...facts];
}
