/** Handlers of the routes by which clients request scans and transforms of tables: materialize, explain and streams. */

import type { DATA_PLANE_ROUTES } from '../../../src-shared/wire/routes/dataPlane.ts';
import type { Config } from '../../config/variables.ts';
import type { DataPlane } from '../../dataPlane/api.ts';
import { pieceBuffers } from '../../dataPlane/cache/pieceBuffers.ts';
import { SCAN } from '../../dataPlane/executors.ts';
import { namedRefusal, PlaneRefusal } from '../../dataPlane/planeRefusal.ts';
import type { Requester } from '../../dataPlane/requester.ts';
import { type Caller, hasScope } from '../caller.ts';
import type { Call, HandlersOf } from '../implementRoutes.ts';
import { partyOf } from './registryParty.ts';

const ARROW_STREAM = 'application/vnd.apache.arrow.stream';
const release = (piece: Uint8Array): void => pieceBuffers.giveBack(piece);

/** The handlers of the routes about scans and transforms. */
export function dataPlaneHandlers({
  dataPlane,
  config,
  refuseWhenDraining,
}: {
  readonly dataPlane: DataPlane;
  readonly config: Config;
  readonly refuseWhenDraining: () => void;
}): HandlersOf<typeof DATA_PLANE_ROUTES> {
  const materialize = ({
    body,
    caller,
    client,
    wanted: signalOf,
  }: Pick<Call<(typeof DATA_PLANE_ROUTES)['materialize']>, 'body' | 'caller' | 'client' | 'wanted'>) => {
    refuseWhenDraining();
    const name = body.name ?? null;
    if (name !== null) requireNaming(caller);
    const { inputs, transform, mode, refresh } = body;
    return dataPlane.materialize(
      { inputs, transform, mode, refresh, name },
      requester(caller, client),
      signalOf(),
    );
  };
  return {
    materialize: (call) => materialize(call),
    async materializeTransform(call) {
      if (call.body.transform.executor === SCAN) {
        throw new PlaneRefusal(400, 'This route runs transforms. Send scan@v1 to POST /v1/materialize.');
      }
      return materialize(call);
    },
    async explainMaterialize({ body, caller, client, wanted: signalOf }) {
      const { inputs, transform } = body;
      const answer = await dataPlane.explain(
        { inputs, transform, name: body.name ?? null },
        requester(caller, client),
        signalOf(),
      );
      return {
        ...answer,
        changed_inputs: [...answer.changed_inputs],
        resolved_input_versions: { ...answer.resolved_input_versions },
      };
    },
    async scan({ body, caller, client, wanted: signalOf }) {
      refuseWhenDraining();
      const pieces = await dataPlane.scan(body, requester(caller, client), signalOf());
      return { pieces, release, contentType: ARROW_STREAM, fileName: null };
    },
    async fetchStream({ params, caller, client }) {
      const stream = await dataPlane.stream(params.stream_id, requester(caller, client));
      if (stream.kind === 'rows') {
        return { pieces: stream.pieces, release, contentType: ARROW_STREAM, fileName: null };
      }
      const { path, row, uri } = stream;
      return {
        path,
        contentType: 'arrow/ipc',
        sha256: row.contentSha256 ?? '',
        fileName: `${row.id}.arrow`,
        headers: { 'X-Arrow-Row-Count': String(row.rowCount ?? 0), 'X-Svc-Artifact-Uri': uri },
      };
    },
    async configTimeouts() {
      return {
        planning: config.planTimeoutSeconds,
        scanning: config.scanTimeoutSeconds,
        qos_queue: { interactive: config.interactiveQueueTimeout, bulk: config.bulkQueueTimeout },
        fetching: config.fetchTimeoutSeconds,
        s3: { connect: config.s3ConnectTimeoutSeconds, request: config.s3RequestTimeoutSeconds },
      };
    },
  };
}

function requester(caller: Caller, client: string): Requester {
  return { party: partyOf(caller), client, hasScope: (scope) => hasScope(caller, scope) };
}

/** @throws PlaneRefusal 403 */
function requireNaming(caller: Caller): void {
  if (hasScope(caller, 'artifacts:write')) return;
  throw namedRefusal(403, 'missing_scope', 'Naming the result requires the artifacts:write scope.');
}
