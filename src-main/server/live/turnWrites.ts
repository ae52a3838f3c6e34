import type { Writable } from 'node:stream';

/**
 * What is written to a stream in one turn of the program leaves in one system call: a run tells each of its watchers
 * several things at once. Call the answer before each write.
 */
export function turnWrites(stream: Writable): () => void {
  let holds = false;
  return () => {
    if (holds) return;
    holds = true;
    stream.cork();
    process.nextTick(() => {
      holds = false;
      stream.uncork();
    });
  };
}
