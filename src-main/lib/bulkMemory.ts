import { setFlagsFromString } from 'node:v8';

/** The line of Node whose engine is known to have the flags; another one is left as it is. */
const KNOWN_LINE = '24.';

/**
 * For a process that hands large bodies on: buffers count with the rest of its memory when it is decided whether to
 * collect. By themselves each 32 MiB that passes through is a full collection, which took half the processor time of
 * a relay under load; the process may keep about a fifth more memory instead. Called once, before the first body.
 */
export function countBuffersAsMemory(): void {
  setFlag('--external-memory-accounted-in-global-limit');
}

/**
 * For a process that hands large bodies on and holds little itself (a relay, a worker): its few megabytes of objects
 * are collected in one go of some milliseconds. In steps beside its work, for buffers that come at a gigabyte a second,
 * it is never done with collecting, and every body costs twice the processor time. Not for a server, whose sessions
 * would make it a long pause.
 */
export function collectInOneGo(): void {
  countBuffersAsMemory();
  setFlag('--no-incremental-marking');
}

function setFlag(flag: string): void {
  const { node, electron } = process.versions;
  if (electron === undefined && node.startsWith(KNOWN_LINE)) setFlagsFromString(flag);
}
