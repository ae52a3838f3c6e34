/** Shrinks a random scenario that fails, so that its cause is easier to find. */

import type { Scenario } from './scenario.ts';

const MAX_TRIES = 40;

/** A smaller scenario that also fails, found by leaving out steps and then cells. @param fails plays a scenario */
export async function shrunk(
  scenario: Scenario,
  fails: (smaller: Scenario) => Promise<boolean>,
): Promise<Scenario> {
  let best = scenario;
  let tries = 0;
  const attempt = async (smaller: Scenario): Promise<void> => {
    if (tries >= MAX_TRIES) return;
    tries += 1;
    if (await fails(smaller)) best = smaller;
  };
  for (let at = best.steps.length - 1; at >= 0; at--)
    await attempt({ ...best, steps: best.steps.filter((_, index) => index !== at) });
  for (const at of best.cells.keys()) {
    if (best.cells[at] === 'pass') continue;
    await attempt({ ...best, cells: best.cells.map((text, index) => (index === at ? 'pass' : text)) });
  }
  return best;
}
