import { LANGUAGES } from '../../../../src-shared/notebook/languages/languages.ts';
import { setupPart } from '../../runFiles.ts';
import type { RemoteRequest } from './remoteRequest.ts';

/**
 * The part of a request to a worker that describes the cell, for push and pull (docs/spec/worker-protocol.md, 3.2).
 * `environment`: null for none.
 */
export function cellParamsOf(request: RemoteRequest, environment: unknown) {
  const { source, mutationDefines, tables = {}, notebookId } = request;
  const uris = LANGUAGES[request.language].sharesCode ? urisOf(request.inputs) : {};
  return {
    source,
    timeout_seconds: request.timeoutSeconds,
    mounts: request.declaredMounts.map(({ name, uri, mode, pin, options, credential }) => ({
      name,
      uri,
      mode,
      pin,
      options,
      credential,
    })),
    env: request.env,
    ...(mutationDefines.length === 0 ? {} : { mutation_defines: [...mutationDefines] }),
    ...(Object.keys(tables).length === 0 ? {} : { tables }),
    ...(environment === null ? {} : { environment }),
    ...(request.language === 'r' ? { language: 'r' } : {}),
    // The same fields as for a run on this machine; other workers ignore them.
    cell_name: request.cellName,
    ...(request.setup === undefined ? {} : { setup: setupPart(request.setup) }),
    ...(request.store === 'all' ? {} : { store: [...request.store] }),
    ...(request.unread === undefined ? {} : { unread: request.unread }),
    ...(request.below === undefined ? {} : { below: request.below }),
    ...(Object.keys(uris).length === 0 ? {} : { input_uris: uris }),
    svc_cell_id: request.cellId,
    svc_notebook_id: notebookId,
  };
}

function urisOf(inputs: RemoteRequest['inputs']): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(inputs).flatMap(([name, input]) =>
      'file' in input && input.uri !== undefined ? [[name, input.uri]] : [],
    ),
  );
}
