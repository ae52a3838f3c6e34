/** Calls that are never too many for a relay or a worker, however much is under way: cancels and health questions. */
const URGENT: readonly (readonly [method: string, path: RegExp])[] = [
  ['POST', /^\/v1\/executions\/[^/]+\/cancel$/],
  ['GET', /^\/health$/],
];

/** @param path without its query */
export function isUrgent(method: string, path: string): boolean {
  return URGENT.some(([urgent, paths]) => urgent === method && paths.test(path));
}
