/** What one relay lets through. */
export interface RelayLimits {
  /** Of one request. */
  readonly maxBodyBytes: number;
  /** Calls under way to one worker; more are 503. Cancels and health questions are not counted. */
  readonly maxStreams: number;
  /** Bytes of answers that may wait for slow callers, for one worker. */
  readonly maxSpoolBytes: number;
  /** How long a caller may send nothing of a body it has announced. */
  readonly idleMs: number;
  /** How long calls under way may take after SIGTERM. */
  readonly drainMs: number;
}

const MEBIBYTE = 1024 * 1024;

export const RELAY_LIMITS: RelayLimits = {
  maxBodyBytes: 8_192 * MEBIBYTE,
  maxStreams: 256,
  maxSpoolBytes: 16_384 * MEBIBYTE,
  idleMs: 120_000,
  drainMs: 30_000,
};

/** Names, values and the request line of one call together; more is 431. */
export const MAX_HEADER_BYTES = 64 * 1024;
