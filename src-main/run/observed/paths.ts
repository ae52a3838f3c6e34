/** Collects the paths that several runs used, so that each path is checked once. */

import type { FileFact, Observation } from './observation.ts';
import { pathsOf } from './pathState.ts';

/** Every path in these runs' facts, with the facts about it, so that each is checked once. */
export function pathsToCheck(
  observations: Iterable<Observation | null>,
): ReadonlyMap<string, readonly FileFact[]> {
  const all = new Map<string, FileFact[]>();
  for (const observation of new Set(observations)) {
    if (observation === null) continue;
    for (const [path, fact] of pathsOf(observation)) {
      const facts = all.get(path) ?? [];
      all.set(path, facts);
      if (fact !== null) facts.push(fact);
    }
  }
  return all;
}
