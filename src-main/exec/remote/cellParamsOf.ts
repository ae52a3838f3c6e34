import type { RemoteRequest } from './remoteRequest.ts';

/** What a cell is run with, whichever way it is sent (document 1, transform.params). `environment` null: none is. */
export function cellParamsOf(request: RemoteRequest, environment: unknown) {
  const { source, mutationDefines, tables = {}, notebookId } = request;
  return {
    source,
    timeout_seconds: request.timeoutSeconds,
    mounts: request.declaredMounts.map(({ name, uri, mode, pin, options, credential }) => ({
      ...{ name, uri, mode, pin, options, credential },
    })),
    env: request.env,
    ...(mutationDefines.length === 0 ? {} : { mutation_defines: [...mutationDefines] }),
    ...(Object.keys(tables).length === 0 ? {} : { tables }),
    ...(environment === null ? {} : { environment }),
    ...(request.language === 'r' ? { language: 'r' } : {}),
    // What a run on this machine is told too; a stranger passes over it.
    cell_name: request.cellName,
    ...(request.store === 'all' ? {} : { store: [...request.store] }),
    ...(request.unread === undefined ? {} : { unread: request.unread }),
    ...(request.below === undefined ? {} : { below: request.below }),
    ...{ svc_cell_id: request.cellId, svc_notebook_id: notebookId },
  };
}
