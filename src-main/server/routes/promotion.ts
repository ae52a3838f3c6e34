/** Handlers of the routes that promote a notebook's results to a store that others can read. */

import { AppError } from '../../../src-shared/wire/errors.ts';
import type { PROMOTION_ROUTES } from '../../../src-shared/wire/routes/promotion.ts';
import { checkAlias, checkName } from '../../registry/names.ts';
import { RemoteStoreProblem } from '../../remoteStore/remoteStoreProblem.ts';
import type { App } from '../app.ts';
import type { Caller } from '../caller.ts';
import type { HandlersOf } from '../implementRoutes.ts';
import { copyParts, exposedBy, partsOf, uriOfParams } from '../promotion/promote.ts';
import {
  CELL_TAG,
  localPromotionStore,
  NOTEBOOK_TAG,
  noStore,
  type PromotedVersion,
  type PromotionStore,
  remotePromotionStore,
} from '../promotion/promotionStore.ts';
import { partyOf } from './registryParty.ts';
import { sessionOf } from './sessionOf.ts';

/** Limit for setting a name, an alias or a tag (docs/spec/core-services.md, 8). */
const NAMES_MS = 20_000;
/** Copying may take longer; a download by the other server that stalls ends it. */
const COPY_MS = 30 * 60_000;

/** The handlers of the promotion routes. */
export function promotionHandlers({
  sessions,
  registry,
  remoteStore,
  dataPlane,
  config,
}: Pick<App, 'sessions' | 'registry' | 'remoteStore' | 'dataPlane' | 'config'>): HandlersOf<
  typeof PROMOTION_ROUTES
> {
  const storeFor = (caller: Caller, limitMs: number) =>
    promotionStoreOf({ registry, remoteStore, dataPlane }, { caller, limitMs });
  return {
    async promoteArtifact({ params, body, caller }) {
      const session = sessionOf(sessions, params.sid);
      const { name = null, alias = null, tags, table = null } = body;
      // Checked before anything is copied.
      if (name !== null) checkName(name);
      if (alias !== null) checkAlias(alias);
      if (alias !== null && name === null)
        throw new AppError('bad_request', 'An alias belongs to a name. Give a name.');
      return reported(async () => {
        const parts = await partsOf(session, uriOfParams(params));
        const { uri, copied } = await copyParts(await storeFor(caller, COPY_MS), parts);
        // The table first: nothing is named if it cannot be written, and its tag follows the alias.
        const exported =
          table === null
            ? null
            : await (await storeFor(caller, COPY_MS)).exportTable(uri, { table, alias: null });
        const store = await storeFor(caller, NAMES_MS);
        const cellId = parts.at(-1)?.row.params['cell_id'] ?? '';
        const origin = { [NOTEBOOK_TAG]: session.notebookId, [CELL_TAG]: cellId };
        for (const [key, value] of Object.entries({ ...origin, ...tags }))
          await store.setTag(uri, key, value);
        if (name !== null) await store.setName(name, uri);
        const isPending = name !== null && alias !== null && (await store.setAlias(name, alias, uri));
        return {
          name,
          artifact_uri: uri,
          copied,
          alias,
          alias_pending: isPending,
          table,
          table_snapshot: exported?.snapshot_id ?? null,
          store: storeAddress(),
        };
      });
    },
    async previewPromotion({ params, caller }) {
      const session = sessionOf(sessions, params.sid);
      return reported(async () => {
        const store = await storeFor(caller, NAMES_MS);
        const parts = await partsOf(session, uriOfParams(params));
        const last = parts.at(-1);
        const ready = last === undefined ? null : await store.ready(last.row.provenanceHash);
        return {
          store: storeAddress(),
          versions: exposedBy(session, parts),
          total_bytes: parts.reduce((sum, { row }) => sum + row.byteSize, 0),
          names: ready === null ? [] : [...(await store.namesOf(ready.uri))],
        };
      });
    },
  };

  function storeAddress(): string {
    return config.notebookRemoteStoreUrl === null ? 'local' : new URL(config.notebookRemoteStoreUrl).origin;
  }
}

/** The store that this server promotes to. @throws AppError conflict without a store */
async function promotionStoreOf(
  { registry, remoteStore, dataPlane }: Pick<App, 'registry' | 'remoteStore' | 'dataPlane'>,
  { caller, limitMs }: { readonly caller: Caller; readonly limitMs: number },
): Promise<PromotionStore> {
  const signal = AbortSignal.timeout(limitMs);
  if (remoteStore !== null) {
    return remotePromotionStore(remoteStore, { principal: caller.principal, signal });
  }
  if (!registry.isConfigured) throw noStore();
  return localPromotionStore(
    { registry: await registry.open(), dataPlane },
    { party: partyOf(caller), signal },
  );
}

/** A page that lists cells waits this long for their promotions. */
const LIST_MS = 2_000;

/** The promotions of each cell of a notebook; none if no store answers. */
export async function promotedCells(
  app: Pick<App, 'registry' | 'remoteStore' | 'dataPlane'>,
  { notebookId, caller }: { readonly notebookId: string; readonly caller: Caller },
): Promise<Record<string, PromotedVersion[]>> {
  const { registry, remoteStore } = app;
  if (remoteStore === null ? !registry.isConfigured : !remoteStore.isAwake()) return {};
  const cells = new Map<string, PromotedVersion[]>();
  try {
    const store = await promotionStoreOf(app, { caller, limitMs: LIST_MS });
    for (const one of await store.promotedBy(notebookId)) {
      const cell = one.tags[CELL_TAG] ?? '';
      cells.set(cell, [...(cells.get(cell) ?? []), one]);
    }
  } catch (error) {
    // The store has logged the reason.
    if (!(error instanceof RemoteStoreProblem)) throw error;
  }
  return Object.fromEntries(cells);
}

/** Errors of a shared store are reported as such: neither the client nor this server caused them. */
async function reported<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof RemoteStoreProblem) throw new AppError('bad_gateway', error.message);
    throw error;
  }
}
