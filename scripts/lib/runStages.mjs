/** Runs the stages of `npm test`, one after another or two at a time, and prints the totals. */

import { inLanes } from './inLanes.mjs';
import { Stop } from './project.mjs';
import { wasInterrupted } from './run.mjs';
import { clearFolder, folderOf, print, withOwnOutput } from './stageOutput.mjs';
import { sumOf } from './testStages.mjs';

/** Runs stages, [[name, () => counts]], one after the other. @returns [{name, ...counts}] */
export async function inTurn(stages) {
  const counts = [];
  for (const [name, stage] of stages) {
    if (wasInterrupted()) {
      counts.push(notRun(name, INTERRUPTED));
      continue;
    }
    clearFolder(name);
    process.stdout.write(`\n== ${name}\n`);
    counts.push(await timed(name, stage));
  }
  return counts;
}

/**
 * Runs stages, [{name, after, run: () => counts}], two at a time: one alone leaves half of two cores idle while it
 * waits for processes, pages and disks; two do not. The output of each is printed whole when it ends, so that those of
 * two do not mix. A stage does not run if one that it needs, listed in `after`, failed: it counts as a failure that
 * says so.
 * @returns [{name, ...counts}]
 */
export function sideBySide(stages) {
  return inLanes(stages, ({ name, run }, before) => {
    const failed = before.filter((counts) => counts.failed > 0).map((counts) => counts.name);
    if (failed.length > 0) return notRun(name, `${failed.join(' and ')} failed`);
    if (wasInterrupted()) return notRun(name, INTERRUPTED);
    clearFolder(name);
    process.stdout.write(`\n.. ${name} starts\n`);
    return withOwnOutput(name, () => timed(name, run));
  });
}

const INTERRUPTED = 'the run was interrupted';

/** The counts of a stage that did not run. @param reason a clause for after "because" */
function notRun(name, reason) {
  const text = `not run, because ${reason}`;
  process.stdout.write(`\n-- ${name}: ${text}\n`);
  return { name, passed: 0, failed: 1, skipped: [], broken: [['the stage itself', text]] };
}

async function timed(name, stage) {
  const started = performance.now();
  const count = await stage().catch((error) => {
    if (!(error instanceof Stop)) throw error;
    print(`${error.message}\n`);
    return { passed: 0, failed: 1, skipped: [] };
  });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  print(`-- ${name}: ${sentence(count)} (${seconds} s)\n`);
  return { name, ...count };
}

/** Prints what was skipped, flaky and broken, and the totals. @returns the exit code */
export function report(counts) {
  const skipped = counts.flatMap(({ name, skipped }) =>
    skipped.map(([test, why]) => `${name}: ${test} (${why})`),
  );
  if (skipped.length > 0) process.stdout.write(`\nskipped:\n  ${skipped.join('\n  ')}\n`);
  const named = (kind) =>
    counts.flatMap((count) =>
      (count[kind] ?? []).map(([test, failureText]) => `${count.name}: ${test}\n    ${failureText}`),
    );
  const flaky = named('flaky');
  if (flaky.length > 0) process.stdout.write(`\npassed at the second try:\n  ${flaky.join('\n  ')}\n`);
  // Repeated at the end: the runners printed them much earlier.
  const broken = named('broken');
  if (broken.length > 0) process.stdout.write(`\nnot passed:\n  ${broken.join('\n  ')}\n`);
  const total = sumOf(counts);
  const red = counts.filter(({ failed }) => failed > 0).map(({ name }) => name);
  if (red.length > 0) {
    process.stdout.write(`\nfailed: ${red.join(', ')}\n`);
    for (const name of red) process.stdout.write(`  logs and pictures: ${folderOf(name)}\n`);
  }
  process.stdout.write(`\n${sentence(total)}\n`);
  return total.failed === 0 ? 0 : 1;
}

function sentence({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed, ${skipped.length} skipped`;
}
