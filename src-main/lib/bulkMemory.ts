import { setFlagsFromString } from 'node:v8';

/** The line of Node whose engine is known to have the flag; another one is left as it is. */
const KNOWN_LINE = '24.';

/**
 * For a process that hands large bodies on: buffers count with the rest of its memory when it is decided whether to
 * collect. By themselves each 32 MiB that passes through is a full collection, which took half the processor time of
 * a relay under load; the process may keep about a fifth more memory instead. Called once, before the first body.
 */
export function countBuffersAsMemory(): void {
  const { node, electron } = process.versions;
  if (electron === undefined && node.startsWith(KNOWN_LINE)) {
    setFlagsFromString('--external-memory-accounted-in-global-limit');
  }
}
