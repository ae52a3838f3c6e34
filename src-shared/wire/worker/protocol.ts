/** Names and versions in the protocol between server and worker (docs/spec/worker-protocol.md, 2). */
export const EXECUTOR_PROTOCOL = 'v1';
export const NOTEBOOK_CELL_PROTOCOL = 'notebook-cell-v1';
export const NOTEBOOK_CELL_REF = 'notebook_cell@v1';
export const BUILD_MANIFEST_FORMAT = 'notebook-build-manifest@v1';
export const BUNDLE_FORMAT = 'notebook-output-bundle@v1';
export const BUNDLE_CONTENT_TYPE = 'application/x-tar';

/** Header names, in lower case as in Node. */
export const EXECUTOR_PROTOCOL_HEADER = 'x-svc-executor-protocol';
export const NOTEBOOK_PROTOCOL_HEADER = 'x-svc-notebook-executor-protocol';

export const PROTOCOL_HEADERS: Readonly<Record<string, string>> = {
  [EXECUTOR_PROTOCOL_HEADER]: EXECUTOR_PROTOCOL,
  [NOTEBOOK_PROTOCOL_HEADER]: NOTEBOOK_CELL_PROTOCOL,
};

/** The paths of a worker's routes, below its URL. */
export const WORKER_PATHS = {
  health: '/health',
  execute: '/v1/execute',
  notebookExecute: '/v1/notebook-execute',
  executeManifest: '/v1/execute-manifest',
  /** The same as {@link WORKER_PATHS.executeManifest}. */
  executeShort: '/execute',
  hints: '/v1/hints',
} as const;

/** By content type; the default is `.bin` (docs/spec/worker-protocol.md, 3). */
const EXTENSIONS: Readonly<Record<string, string>> = {
  'arrow/ipc': '.arrow',
  'json/object': '.json',
  'pickle/object': '.pickle',
  'module/import': '.module.json',
  'module/cell': '.cell_module.json',
  'module/cell-instance': '.cell_instance.pickle',
};

/** The file extension for a content type in a bundle. */
export function extensionOf(contentType: string): string {
  return Object.hasOwn(EXTENSIONS, contentType) ? (EXTENSIONS[contentType] ?? '.bin') : '.bin';
}

/** The default timeout of a cell (docs/spec/worker-protocol.md, 14). */
export const DEFAULT_TIMEOUT_SECONDS = 30;
