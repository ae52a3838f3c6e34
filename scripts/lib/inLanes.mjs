/**
 * Runs stages, so many at a time: a lane that is free takes the first stage that is left and whose predecessor has ended.
 * @param stages [{name, after}]: `after` is the name of the stage that must have ended before, or undefined
 * @param run stage => promise of its result
 * @returns the results in the order of `stages`
 */
export async function inLanes(stages, run, lanes = 2) {
  const left = [...stages];
  const results = new Map();
  let running = 0;
  let wake = [];
  const lane = async () => {
    while (left.length > 0) {
      const at = left.findIndex(({ after }) => after === undefined || results.has(after));
      if (at === -1) {
        if (running === 0)
          throw new Error(`no stage is called ${left.map(({ after }) => after).join(' or ')}`);
        await new Promise((resolve) => wake.push(resolve));
        continue;
      }
      const [stage] = left.splice(at, 1);
      running += 1;
      try {
        results.set(stage.name, await run(stage));
      } finally {
        running -= 1;
        const waiting = wake;
        wake = [];
        for (const resolve of waiting) resolve();
      }
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return stages.map(({ name }) => results.get(name));
}
