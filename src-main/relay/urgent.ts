/** The calls that a relay or a worker accepts under any load: cancels and health checks. */
const URGENT: readonly (readonly [method: string, path: RegExp])[] = [
  ['POST', /^\/v1\/executions\/[^/]+\/cancel$/],
  ['GET', /^\/health$/],
];

/** Whether a call is one of these. @param path without its query */
export function isUrgent(method: string, path: string): boolean {
  return URGENT.some(([urgent, paths]) => urgent === method && paths.test(path));
}
