import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PROJECT_ROOT } from '../support/serverProcess.ts';
import { calibrate, REFERENCE_CALIBRATION_MS } from './calibrate.ts';
import { type Group, median, type RecordSamples } from './row.ts';
import { appRows } from './rows/appRows.ts';
import { commandRows } from './rows/commandRows.ts';
import { consoleRows } from './rows/consoleRows.ts';
import { floodRows } from './rows/floodRows.ts';
import { idleRows } from './rows/idleRows.ts';
import { languageRows } from './rows/languageRows.ts';
import { languageServerRows } from './rows/languageServerRows.ts';
import { largeRows } from './rows/largeRows.ts';
import { lifecycleRows } from './rows/lifecycleRows.ts';
import { relayRows } from './rows/relayRows.ts';
import { remoteRows } from './rows/remoteRows.ts';
import { rendererRows } from './rows/rendererRows.ts';
import { rRows } from './rows/rRows.ts';
import { runRows } from './rows/runRows.ts';
import { sqlCancelRows } from './rows/sqlCancelRows.ts';
import { steadyRows } from './rows/steadyRows.ts';
import { tableRows } from './rows/tableRows.ts';
import { typedRows } from './rows/typedRows.ts';
import { workerRows } from './rows/workerRows.ts';

/**
 * `npm run bench [-- --smoke] [-- --only TEXT]`: measures every row of budgets.json against a real server.
 * A row's ratio is its median over the calibration of the same run; `reference` is what the calibration takes
 * on the machine the targets were set for. A smoke run fails at twice a target, a full run says so in words.
 * A smoke run measures the group of a row that fails once more: what a neighbour of this machine took for a second is
 * gone by then, what the program takes is there again.
 */
interface Budget {
  readonly target: number;
  readonly unit: 'ms' | 'MiB' | '%';
  readonly timer: string;
}

const smoke = process.argv.includes('--smoke');
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
  typedRows,
  consoleRows,
  rendererRows,
  floodRows,
  idleRows,
  appRows,
  rRows,
  languageRows,
  languageServerRows,
  sqlCancelRows,
  relayRows,
  remoteRows,
  workerRows,
];

/** A row fails at so many times its target. */
const FAILS_AT = 2;
const calibrations = [await calibrate()];
const figures = new Map<string, number>();
/** What a row that was measured twice took at first. */
const firsts = new Map<string, number>();

async function measure(group: Group): Promise<readonly string[]> {
  const names: string[] = [];
  const record: RecordSamples = (name, samples) => {
    if (budgets.rows[name] === undefined) throw new Error(`budgets.json has no row ${name}`);
    const before = figures.get(name);
    if (before !== undefined) firsts.set(name, before);
    figures.set(name, Math.min(before ?? Number.POSITIVE_INFINITY, median(samples)));
    names.push(name);
  };
  await group.run(record, { smoke });
  return names;
}

function calibration(): number {
  return calibrations.reduce((sum, ms) => sum + ms, 0) / calibrations.length;
}

/** How many times what it may take on a machine as fast as this one now. */
function ofTarget(name: string, value: number): number {
  const { target, unit } = budgets.rows[name] as Budget;
  const speed = calibration() / REFERENCE_CALIBRATION_MS;
  return value / (unit === 'ms' ? target * Math.max(1, speed) : target);
}

const fails = (name: string): boolean => ofTarget(name, figures.get(name) ?? 0) > FAILS_AT;

const measured = new Map<Group, readonly string[]>();
for (const group of groups) {
  if (only !== null && !group.title.includes(only)) continue;
  const startedAt = performance.now();
  measured.set(group, await measure(group));
  process.stderr.write(`bench: ${group.title} (${((performance.now() - startedAt) / 1000).toFixed(1)} s)\n`);
}
calibrations.push(await calibrate());
const again = [...measured].filter(([, names]) => smoke && names.some(fails)).map(([group]) => group);
for (const group of again) {
  process.stderr.write(`bench: ${group.title}, once more\n`);
  await measure(group);
}
if (again.length > 0) calibrations.push(await calibrate());

let failed = 0;
const lines = [`calibration ${calibration().toFixed(0)} ms (reference ${REFERENCE_CALIBRATION_MS} ms)`, ''];
const report: Record<string, unknown> = {};
for (const [name, budget] of Object.entries(budgets.rows)) {
  const value = figures.get(name);
  if (value === undefined) continue;
  const ratio = ofTarget(name, value);
  const verdict = ratio <= 1 ? 'ok' : ratio <= FAILS_AT ? 'over' : 'FAIL';
  if (ratio > FAILS_AT) failed++;
  report[name] = { value, target: budget.target, over_calibration: value / calibration(), of_target: ratio };
  const first = firsts.get(name);
  lines.push(
    `${verdict.padEnd(5)} ${name.padEnd(28)} ${value.toFixed(1).padStart(9)} ${budget.unit.padEnd(4)} target ${String(budget.target).padStart(5)}  x${(value / calibration()).toFixed(4)} of calibration${first === undefined ? '' : `; measured twice, first ${first.toFixed(1)}`}`,
  );
}
process.stdout.write(`${lines.join('\n')}\n`);
await writeFile(
  join(PROJECT_ROOT, '.cache/bench.json'),
  `${JSON.stringify({ calibration: calibration(), rows: report }, null, 2)}\n`,
);
process.stdout.write(`${figures.size - failed} passed, ${failed} failed, 0 skipped\n`);
process.exitCode = smoke && failed > 0 ? 1 : 0;
