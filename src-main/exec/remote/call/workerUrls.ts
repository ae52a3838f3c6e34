/**
 * The URLs of a worker's routes, derived from the one in its definition (docs/spec/remote-execution.md, 1). A push uses
 * that one unchanged; the others drop query and fragment.
 */
export interface WorkerUrls {
  readonly push: string;
  readonly health: string;
  readonly pull: string;
  readonly hints: string;
  cancel(buildId: string): string;
  /** The URL for a path of our extensions (docs/extensions.md). */
  extension(path: string): string;
}

const EXECUTE = /\/v1\/(?:notebook-)?execute$/;
const CANCELLED = /\/v1\/(?:notebook-execute|execute-manifest|execute)$/;
const HINTED = /\/v1\/(?:notebook-execute|execute-manifest|execute)$|\/execute$/;

/** @throws TypeError when the text is not a URL */
export function workerUrls(url: string): WorkerUrls {
  const parsed = new URL(url);
  const path = parsed.pathname.replace(/\/+$/, '');
  const base = (ending: RegExp): string =>
    `${parsed.protocol}//${credentialsOf(parsed)}${parsed.host}${path.replace(ending, '')}`;
  return {
    push: url,
    health: `${base(EXECUTE)}/health`,
    pull: `${base(CANCELLED)}/v1/execute-manifest`,
    hints: `${base(HINTED)}/v1/hints`,
    cancel: (buildId) => `${base(CANCELLED)}/v1/executions/${encodeURIComponent(buildId)}/cancel`,
    extension: (path) => `${base(CANCELLED)}${path}`,
  };
}

function credentialsOf({ username, password }: URL): string {
  if (username === '') return '';
  return `${username}${password === '' ? '' : `:${password}`}@`;
}
