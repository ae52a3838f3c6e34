/**
 * The table of all refusals: code -> HTTP status and the shape of `detail`. `string` gives `{detail: message}`, `coded`
 * gives `{detail: {code, message, ...context}}` (docs/spec/rest-core.md, 7), `said` is like `coded` without the code,
 * `text` gives plain text (middleware responses).
 */
export const ERRORS = {
  bad_request: { status: 400, body: 'string' },
  host_not_allowed: { status: 400, body: 'text' },
  unauthorized: { status: 401, body: 'string' },
  forbidden: { status: 403, body: 'string' },
  origin_not_allowed: { status: 403, body: 'string' },
  not_found: { status: 404, body: 'string' },
  /** An environment job failed; `operation_log` has the output of its commands (docs/spec/rest-notebooks.md, 6). */
  environment_failed: { status: 400, body: 'said' },
  conflict: { status: 409, body: 'string' },
  /** Another run has the notebook; live frames have the code `notebook_busy`. */
  notebook_busy: { status: 409, body: 'string' },
  /** The cell to edit or close is running. */
  cell_busy: { status: 409, body: 'string' },
  ENVIRONMENT_BUSY: { status: 409, body: 'coded' },
  cell_locked: { status: 409, body: 'coded' },
  NOTEBOOK_QUIESCED: { status: 409, body: 'coded' },
  /** Extension: a second process tried to open a notebook that another one writes. */
  NOTEBOOK_IN_USE: { status: 409, body: 'coded' },
  /** Extension: the desktop app opened an untrusted folder. */
  NOTEBOOK_UNTRUSTED: { status: 403, body: 'coded' },
  /** Extension: the cell's file changed on disk since it was read. */
  source_changed_on_disk: { status: 409, body: 'coded' },
  /** Extension: the disk refused the cell's text; the session keeps it and retries. */
  source_not_saved: { status: 409, body: 'string' },
  payload_too_large: { status: 413, body: 'string' },
  invalid: { status: 422, body: 'string' },
  rate_limited: { status: 429, body: 'text' },
  insufficient_scope: { status: 403, body: 'string' },
  read_only: { status: 403, body: 'string' },
  internal: { status: 500, body: 'string' },
  /** The shared store refused, or did not answer. */
  bad_gateway: { status: 502, body: 'string' },
  draining: { status: 503, body: 'string' },
  /** No AI provider is configured. */
  ai_unavailable: { status: 503, body: 'string' },
  /** The provider’s own limit; not this server’s. */
  ai_rate_limited: { status: 429, body: 'string' },
  ai_failed: { status: 502, body: 'string' },
  ai_timeout: { status: 504, body: 'string' },
} as const satisfies Record<string, { status: number; body: 'string' | 'coded' | 'said' | 'text' }>;

export type ErrorCode = keyof typeof ERRORS;

/** Codes that an error frame may contain; every other refusal is sent as text only (docs/spec/live-protocol.md, 9). */
export const FRAME_ERROR_CODES = [
  'ENVIRONMENT_BUSY',
  'notebook_busy',
  'cell_busy',
  'cell_locked',
  'read_only',
  'insufficient_scope',
  'NOTEBOOK_QUIESCED',
  'NOTEBOOK_UNTRUSTED',
  // Extension: the window must know which cell's text was not written.
  'source_changed_on_disk',
  'source_not_saved',
] as const satisfies readonly ErrorCode[];

/** Further fields of a refusal, for the client. */
export interface ErrorContext {
  readonly cell_id?: string;
  readonly held_by?: string;
  readonly environment_job?: unknown;
  readonly operation_log?: unknown;
  readonly pid?: number;
  readonly disk_source?: string;
  readonly base_source?: string;
  /** The text that was not written. */
  readonly source?: string;
  readonly retry_after_seconds?: number;
}

/** A refusal with a code of the table. Expected outcomes of a run are values, never this error. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly context: ErrorContext;

  constructor(code: ErrorCode, message: string, context: ErrorContext = {}) {
    super(message);
    this.name = 'AppError';
    this.code = code;
    this.context = context;
  }
}
