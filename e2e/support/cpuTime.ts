/** Compares the work of two calls: a busy machine slows both, so only the ratio of their times is judged. */

const TRIES = 5;

/** Processor time of a call in milliseconds, in the cheapest of several tries: other work only adds to it. */
export function leastCpuMs(work: () => unknown): number {
  const times = Array.from({ length: TRIES }, () => {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  return Math.min(...times);
}
