import type { Tracing } from '../../observe/tracing.ts';
import type { RemoteExecutor } from './call/remoteRequest.ts';

/**
 * Opens a tracing span for each cell that is sent to a worker, and sends its context with it
 * (docs/spec/worker-protocol.md, 5.1).
 */
export function tracedExecutor(executor: RemoteExecutor, tracing: Tracing): RemoteExecutor {
  return {
    async run(request, options) {
      const span = tracing.begin('notebook.dispatch', {
        kind: 'client',
        attributes: {
          notebook_id: request.notebookId,
          cell_id: request.cellId,
          worker: request.worker.name,
        },
      });
      try {
        const outcome = await executor.run(request, { ...options, trace: span.headers });
        const { remote } = outcome;
        const attributes = {
          outcome: outcome.kind,
          ...(remote?.buildId == null ? {} : { build_id: remote.buildId, transport: remote.transport }),
        };
        span.end({ attributes, ...(outcome.kind === 'finished' ? {} : { error: outcome.message }) });
        return outcome;
      } catch (error) {
        span.end({ error });
        throw error;
      }
    },
  };
}
