/**
 * `npm run bench [-- --smoke | --quick] [-- --only TEXT]`: measures every row of budgets.json against a real server.
 * A row's ratio is its median divided by the mean of the calibrations just before and after its group; `reference` is
 * the calibration of the machine that the targets were set for. Each group has its own calibrations, because a shared
 * machine may change its speed within minutes.
 * A full run reports rows over twice their target; a smoke run, which takes few samples, fails at three times. It
 * measures the group of such a row up to twice more, because the load of other processes is temporary.
 * A quick run is a smoke run of the groups in QUICK and takes a minute. `npm test` makes a quick run, `npm run
 * test:long` a smoke run.
 */

import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PROJECT_ROOT } from '../support/serverProcess.ts';
import { calibrate, REFERENCE_CALIBRATION_MS } from './calibrate.ts';
import { type Group, median, type RecordSamples } from './row.ts';
import { appRows } from './rows/appRows.ts';
import { artifactRows } from './rows/artifactRows.ts';
import { assistantRows } from './rows/assistantRows.ts';
import { commandRows } from './rows/commandRows.ts';
import { consoleRows } from './rows/consoleRows.ts';
import { figureRows } from './rows/figureRows.ts';
import { filterRows } from './rows/filterRows.ts';
import { floodRows } from './rows/floodRows.ts';
import { idleRows } from './rows/idleRows.ts';
import { languageRows } from './rows/languageRows.ts';
import { languageServerRows } from './rows/languageServerRows.ts';
import { largeRows } from './rows/largeRows.ts';
import { lifecycleRows } from './rows/lifecycleRows.ts';
import { planeRows } from './rows/planeRows.ts';
import { relayRows } from './rows/relayRows.ts';
import { remoteRows } from './rows/remoteRows.ts';
import { rendererRows } from './rows/rendererRows.ts';
import { rRows } from './rows/rRows.ts';
import { runRows } from './rows/runRows.ts';
import { sqlCancelRows } from './rows/sqlCancelRows.ts';
import { steadyRows } from './rows/steadyRows.ts';
import { tableRows } from './rows/tableRows.ts';
import { typedRows } from './rows/typedRows.ts';
import { widgetRows } from './rows/widgetRows.ts';
import { workerRows } from './rows/workerRows.ts';

interface Budget {
  readonly target: number;
  readonly unit: 'ms' | 'MiB' | '%' | 'x';
  readonly timer: string;
}

const quick = process.argv.includes('--quick');
const smoke = quick || process.argv.includes('--smoke');
const onlyAt = process.argv.indexOf('--only');
const only = onlyAt === -1 ? null : (process.argv[onlyAt + 1] ?? null);

const budgets: { readonly rows: Readonly<Record<string, Budget>> } = JSON.parse(
  readFileSync(join(PROJECT_ROOT, 'e2e/bench/budgets.json'), 'utf8'),
);
const groups: readonly Group[] = [
  lifecycleRows,
  commandRows,
  runRows,
  largeRows,
  steadyRows,
  tableRows,
  filterRows,
  planeRows,
  typedRows,
  consoleRows,
  rendererRows,
  figureRows,
  widgetRows,
  floodRows,
  idleRows,
  appRows,
  artifactRows,
  assistantRows,
  rRows,
  languageRows,
  languageServerRows,
  sqlCancelRows,
  relayRows,
  remoteRows,
  workerRows,
];

/** Groups that start, open, run, show and read: a change that slows the program down affects one of them. */
const QUICK: ReadonlySet<Group> = new Set([
  lifecycleRows,
  runRows,
  largeRows,
  planeRows,
  consoleRows,
  rendererRows,
  languageRows,
]);

/** A row fails when it takes this many times its target. */
const FAILS_AT = smoke ? 3 : 2;
const REPEATS = smoke ? 2 : 0;

interface Figure {
  readonly value: number;
  /** The mean of the calibrations just before and after this measurement, in ms. */
  readonly calibration: number;
  /**
   * The value as a multiple of its target, adjusted to a machine that is slower than the reference one (rows in ms
   * only).
   */
  readonly ofTarget: number;
}

let lastCalibration = await calibrate();
/** The best measurement of each row. */
const figures = new Map<string, Figure>();
/** The first measurement of each row that was repeated. */
const firsts = new Map<string, Figure>();

function figureOf(budget: Budget, value: number, calibration: number): Figure {
  const speed = budget.unit === 'ms' ? Math.max(1, calibration / REFERENCE_CALIBRATION_MS) : 1;
  return { value, calibration, ofTarget: value / (budget.target * speed) };
}

/** Measures the rows of a group; returns their names. */
async function measure(group: Group): Promise<readonly string[]> {
  const medians = new Map<string, number>();
  const record: RecordSamples = (name, samples) => {
    if (budgets.rows[name] === undefined) throw new Error(`budgets.json has no row ${name}`);
    medians.set(name, median(samples));
  };
  await group.run(record, { smoke });
  const before = lastCalibration;
  lastCalibration = await calibrate();
  for (const [name, value] of medians) {
    const figure = figureOf(budgets.rows[name] as Budget, value, (before + lastCalibration) / 2);
    const earlier = figures.get(name);
    if (earlier !== undefined && !firsts.has(name)) firsts.set(name, earlier);
    if (earlier === undefined || figure.ofTarget < earlier.ofTarget) figures.set(name, figure);
  }
  return [...medians.keys()];
}

const fails = (name: string): boolean => (figures.get(name)?.ofTarget ?? 0) > FAILS_AT;

const measured = new Map<Group, readonly string[]>();
for (const group of groups) {
  if (only !== null && !group.title.includes(only)) continue;
  if (quick && !QUICK.has(group)) continue;
  const startedAt = performance.now();
  measured.set(group, await measure(group));
  process.stderr.write(`bench: ${group.title} (${((performance.now() - startedAt) / 1000).toFixed(1)} s)\n`);
}
for (let repeat = 0; repeat < REPEATS; repeat++) {
  for (const [group, names] of measured) {
    if (!names.some(fails)) continue;
    process.stderr.write(`bench: ${group.title}, repeated\n`);
    await measure(group);
  }
}

let failed = 0;
const all = [...figures.values()].map((figure) => figure.calibration);
const calibration = all.length === 0 ? lastCalibration : median(all);
const lines = [`calibration ${calibration.toFixed(0)} ms (reference ${REFERENCE_CALIBRATION_MS} ms)`, ''];
const report: Record<string, unknown> = {};
for (const [name, budget] of Object.entries(budgets.rows)) {
  const figure = figures.get(name);
  if (figure === undefined) continue;
  const { value, ofTarget } = figure;
  const verdict = ofTarget <= 1 ? 'ok' : fails(name) ? 'FAIL' : 'over';
  if (fails(name)) failed++;
  report[name] = {
    value,
    target: budget.target,
    over_calibration: value / figure.calibration,
    of_target: ofTarget,
  };
  const first = firsts.get(name);
  lines.push(
    `${verdict.padEnd(5)} ${name.padEnd(28)} ${value.toFixed(1).padStart(9)} ${budget.unit.padEnd(4)} target ${String(budget.target).padStart(5)}  x${(value / figure.calibration).toFixed(4)} of calibration${first === undefined ? '' : `; repeated, first ${first.value.toFixed(1)}`}`,
  );
}
process.stdout.write(`${lines.join('\n')}\n`);
await writeFile(
  join(PROJECT_ROOT, '.cache/bench.json'),
  `${JSON.stringify({ calibration, rows: report }, null, 2)}\n`,
);
process.stdout.write(`${figures.size - failed} passed, ${failed} failed, 0 skipped\n`);
process.exitCode = smoke && failed > 0 ? 1 : 0;
