/**
 * Runs stages, some at a time: a free lane takes the first remaining stage whose predecessors have all ended.
 * @param stages [{name, after}]: `after` lists the names of the stages that must have ended before; none if undefined
 * @param run (stage, results of its predecessors) => promise of its result
 * @returns the results in the order of `stages`
 */
export async function inLanes(stages, run, lanes = 2) {
  const left = [...stages];
  const results = new Map();
  let running = 0;
  let wake = [];
  const lane = async () => {
    while (left.length > 0) {
      const at = left.findIndex(({ after = [] }) => after.every((name) => results.has(name)));
      if (at === -1) {
        if (running === 0) throw new Error(`these stages wait for one that is missing: ${namesOf(left)}`);
        await new Promise((resolve) => wake.push(resolve));
        continue;
      }
      const [stage] = left.splice(at, 1);
      running += 1;
      try {
        const before = (stage.after ?? []).map((name) => results.get(name));
        results.set(stage.name, await run(stage, before));
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

function namesOf(stages) {
  return stages.map(({ name }) => name).join(', ');
}
