/**
 * Sets flags of V8 for processes that forward large bodies (the relay, workers), so that they collect memory cheaply.
 */

import { setFlagsFromString } from 'node:v8';

/** The version of Node whose engine is known to have the flags; other versions are not changed. */
const KNOWN_LINE = '24.';

/**
 * Makes V8 count buffers with the rest of the memory when it decides whether to collect. Otherwise every 32 MiB of
 * buffers causes a full collection, which took half the processor time of a relay under load. In return the process may
 * use about a fifth more memory. Call once, before the first body.
 */
export function countBuffersAsMemory(): void {
  setFlag('--external-memory-accounted-in-global-limit');
}

/**
 * Makes V8 collect in one pause of some milliseconds, for a process with few objects (a relay, a worker). Incremental
 * collection never completes when buffers arrive at a gigabyte a second, and doubles the processor time of every body.
 * Not for a server, whose sessions would make it a long pause.
 */
export function collectInOneGo(): void {
  countBuffersAsMemory();
  setFlag('--no-incremental-marking');
}

function setFlag(flag: string): void {
  const { node, electron } = process.versions;
  if (electron === undefined && node.startsWith(KNOWN_LINE)) setFlagsFromString(flag);
}
