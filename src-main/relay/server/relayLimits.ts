/** The limits of a relay: sizes, concurrent calls, waiting times. */
export interface RelayLimits {
  /** The maximum body of one request. */
  readonly maxBodyBytes: number;
  /** Concurrent calls to one worker; more get 503. Cancels and health checks are not counted. */
  readonly maxStreams: number;
  /** Bytes of replies that may be queued for slow callers, for one worker. */
  readonly maxSpoolBytes: number;
  /** How long a caller may pause in a body it has announced. */
  readonly idleMs: number;
  /** How long current calls may take after SIGTERM. */
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

/** The maximum size of the headers and the request line of one call together; more is answered 431. */
export const MAX_HEADER_BYTES = 64 * 1024;
