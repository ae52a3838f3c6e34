import { tierOf } from './admission/scanAdmission.ts';
import { type PassLimits, passRows } from './passRows.ts';
import type { Requester } from './requester.ts';
import { type DirectScanRequest, type MaterializeParts, scanRows } from './requests.ts';
import { checkPlan, scanInput } from './scan.ts';
import { readScanParams } from './scanParams.ts';

/** Answers POST /v1/scan: the rows of a table, which are stored only in the row-group cache. */
export function createDirectScan(
  parts: Pick<MaterializeParts, 'tables' | 'config' | 'cachePlane'>,
  limits: PassLimits,
) {
  const { tables, config } = parts;
  return async (
    { table, ...params }: DirectScanRequest,
    who: Requester,
    signal: AbortSignal,
  ): Promise<AsyncIterable<Uint8Array>> => {
    const uri = scanInput([table]);
    const request = readScanParams(params);
    const pinned = await tables.pin(uri, request.snapshotId, signal);
    let isHandedOn = false;
    try {
      const plan = await tables.plan(pinned, request, signal);
      checkPlan(plan, { maxTasks: config.maxTasksPerScan, maxBytes: config.maxResponseBytes });
      const { tenant } = who.party;
      const tier = tierOf(plan, config, request.columns !== null);
      const endTurn = await limits.scanAdmission.admit(tier, { client: who.client, tenant }, signal);
      isHandedOn = true;
      return await passRows(
        {
          tier,
          rows: async (stop) => scanRows(parts, { pinned, plan, tenant, signal: stop }),
          release: () => pinned.table.close(),
        },
        endTurn,
        { ...limits, signal },
      );
    } finally {
      if (!isHandedOn) await pinned.table.close();
    }
  };
}
