/** Handlers of the routes that measure a notebook's stored results and delete those that nothing needs. */

import type { EXTENSION_ROUTES } from '../../../src-shared/wire/routes/extensions.ts';
import type { SweepRequest } from '../../session/effects/resultStorage.ts';
import type { HandlersOf } from '../implementRoutes.ts';
import type { HandlerContext } from './notebooks.ts';
import { sessionOf } from './sessionOf.ts';

type Handlers = HandlersOf<typeof EXTENSION_ROUTES>;

const DAY_MS = 86_400_000;
/** Maximum number of listed results of a dry run; the list is for display only. */
const MAX_LISTED = 1_000;

/** The size of a notebook's stored results, by the reason why they are retained. */
export async function resultStorage(
  { sessions }: HandlerContext,
  { params }: Parameters<Handlers['resultStorage']>[0],
): ReturnType<Handlers['resultStorage']> {
  const { storage } = sessionOf(sessions, params.sid).views.results;
  const { limits, lastSweep } = storage;
  const nothing: SweepRequest = { maxIdleMs: 0, maxBytes: 0 };
  const [now, all, copies] = await Promise.all([
    storage.plan(),
    storage.plan(nothing),
    storage.copies(nothing),
  ]);
  return {
    store_bytes: now.bytes,
    max_bytes: limits.maxBytes,
    max_idle_days: limits.maxIdleMs === null ? null : limits.maxIdleMs / DAY_MS,
    kept: Array.from(now.kept, ([reason, group]) => ({ reason, ...group })),
    copies: copies.map(({ spare, ...group }) => ({
      ...group,
      spare: spare.length,
      spare_bytes: bytesOf(spare),
    })),
    due_bytes: now.bytes - now.bytesAfter,
    spare_bytes: all.bytes - all.bytesAfter,
    last_sweep: lastSweep && {
      at: new Date(lastSweep.at).toISOString(),
      deleted_count: lastSweep.results,
      deleted_bytes: lastSweep.bytes,
    },
  };
}

/** Deletes unused results of a notebook, or lists what would be deleted. */
export async function sweepResults(
  { sessions }: HandlerContext,
  { params, body }: Parameters<Handlers['sweepResults']>[0],
): ReturnType<Handlers['sweepResults']> {
  const { storage } = sessionOf(sessions, params.sid).views.results;
  const request: SweepRequest = {
    ...(body.max_idle_days === undefined ? {} : { maxIdleMs: body.max_idle_days * DAY_MS }),
    ...(body.max_bytes === undefined ? {} : { maxBytes: body.max_bytes }),
  };
  if (!body.dry_run) {
    const swept = await storage.sweep(request);
    const { bytes } = await storage.plan(request);
    return {
      deleted_count: swept.results,
      deleted_bytes: swept.bytes,
      store_bytes: bytes,
      dry_run: false,
      copies_count: swept.copies,
      copies_bytes: swept.copyBytes,
    };
  }
  const { collect, bytes, bytesAfter } = await storage.plan(request);
  const spare = (await storage.copies(request)).flatMap((group) => group.spare);
  const largest = collect.toSorted((a, b) => b.used.row.byteSize - a.used.row.byteSize);
  return {
    deleted_count: collect.length,
    deleted_bytes: bytes - bytesAfter,
    store_bytes: bytes,
    dry_run: true,
    copies_count: spare.length,
    copies_bytes: bytesOf(spare),
    collected: largest.slice(0, MAX_LISTED).map(({ used: { row, lastUsedAt }, why }) => ({
      artifact_id: row.id,
      version: row.version,
      byte_size: row.byteSize,
      last_used_at: new Date(lastUsedAt).toISOString(),
      why,
    })),
  };
}

function bytesOf(copies: readonly { readonly bytes: number }[]): number {
  return copies.reduce((sum, { bytes }) => sum + bytes, 0);
}
