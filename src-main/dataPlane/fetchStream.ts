/** Answers `GET` of a stream: waits for its build and sends the bytes. */

import type { RegistryService } from '../registry/registryService.ts';
import { uriOf, type VersionRow } from '../registry/versionRow.ts';
import { BuildFailure } from './build.ts';
import { type PassLimits, passRows } from './passRows.ts';
import { PlaneRefusal } from './planeRefusal.ts';
import type { Requester } from './requester.ts';
import type { Streams } from './streams.ts';

/** The bytes of a stream: those of a stored version, or rows that are not stored. */
export type FetchedStream =
  | { readonly kind: 'stored'; readonly path: string; readonly row: VersionRow; readonly uri: string }
  | { readonly kind: 'rows'; readonly pieces: AsyncIterable<Uint8Array> };

interface FetchParts {
  readonly streams: Streams;
  readonly registry: RegistryService;
  readonly limits: PassLimits;
  /** Aborted when the server closes. */
  readonly closing: AbortSignal;
  /** SVC_NODE_ADVERTISED_URL. */
  readonly nodeUrl: string | null;
}

/** A signal that is never aborted: the build runs even if the client disconnects. */
const never = new AbortController().signal;

/**
 * Runs the build of a stream, waits for it, and returns what it stored, even if the client disconnects meanwhile.
 * @throws PlaneRefusal 307 (another server has the stream), 404, 429, 500
 */
export async function fetchStream(
  { streams, registry, limits, closing, nodeUrl }: FetchParts,
  id: string,
  { party, client }: Requester,
): Promise<FetchedStream> {
  if (!streams.has(id) && nodeUrl !== null && registry.isConfigured) {
    const owner = (await registry.open()).streamOwners.find(id);
    if (owner !== null && owner !== nodeUrl) {
      const location = `${owner.replace(/\/+$/, '')}/v1/streams/${encodeURIComponent(id)}`;
      throw new PlaneRefusal(307, `Another server has the stream: ${location}`, { location });
    }
  }
  return streams.use(id, party, async (source) => {
    if (source.kind === 'rows') {
      const endTurn = await limits.scanAdmission.admit(
        source.tier,
        { client, tenant: party.tenant },
        closing,
      );
      return { kind: 'rows', pieces: await passRows(source, endTurn, { ...limits, signal: closing }) };
    }
    const { build, tier } = source;
    // A build that another request started has its turn.
    const endTurn = build.hasStarted
      ? () => undefined
      : await limits.scanAdmission.admit(tier, { client, tenant: party.tenant }, never);
    try {
      const answer = await build.run();
      const { path, row } = (await registry.open()).dataFile(answer, party);
      return { kind: 'stored', path, row, uri: uriOf(row) };
    } catch (error) {
      if (!(error instanceof BuildFailure)) throw error;
      throw new PlaneRefusal(500, error.message, {
        body: { error: 'scan_build_failed', detail: error.message },
      });
    } finally {
      endTurn();
    }
  });
}
