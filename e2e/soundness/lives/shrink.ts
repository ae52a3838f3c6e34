/** Shrinks a random story that fails, so that its cause is easier to find. */

import type { Story } from './story.ts';

const MAX_TRIES = 40;

/** A smaller story that also fails, found by leaving out steps and then cells. @param fails plays a story */
export async function shrunk(story: Story, fails: (smaller: Story) => Promise<boolean>): Promise<Story> {
  let best = story;
  let tries = 0;
  const attempt = async (smaller: Story): Promise<void> => {
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
