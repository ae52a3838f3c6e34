/**
 * Reads the report that the harness writes while it runs a cell's tests, and makes the list of test results from it.
 */

import { join } from 'node:path';
import * as z from 'zod';
import type { TestCase } from '../../../src-shared/wire/cellTests.ts';
import { testCase } from '../../../src-shared/wire/cellTests.ts';
import { errnoOf } from '../../lib/atomicFile.ts';
import { readFileAt } from '../../lib/guardedFolder/read.ts';
import { PlaceRefusal } from '../../lib/guardedFolder/refusal.ts';
import { tryParseJson } from '../../lib/tryParseJson.ts';

/** The lines a harness writes while it runs tests (harness/CONTRACT.md, Tests of a cell). */
const reportLine = z.discriminatedUnion('event', [
  z.object({ event: z.literal('collected'), count: z.int().min(0) }),
  z.object({ event: z.literal('collection_error'), message: z.string(), line: z.int().nullable() }),
  z.object({ event: z.literal('begin'), name: z.string(), nodeid: z.string() }),
  z.object({ event: z.literal('end'), ...testCase.shape }),
  z.object({ event: z.literal('broken'), message: z.string() }),
  z.object({ event: z.literal('done'), exit: z.int() }),
]);
export type ReportLine = z.infer<typeof reportLine>;

/** The name of the report in a run's output folder. */
export const REPORT_FILE = 'test-report.jsonl';

/** The report so far. The tests can write to the folder: unknown lines are ignored. */
export async function readTestReport(outputDir: string): Promise<readonly ReportLine[]> {
  let text: string;
  try {
    text = (await readFileAt(join(outputDir, REPORT_FILE))).toString('utf8');
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' || error instanceof PlaceRefusal) return [];
    throw error;
  }
  return text.split('\n').flatMap((line) => {
    const parsed = readReportLine(line);
    return parsed === null ? [] : [parsed];
  });
}

/** One line of a report; null for an unknown one. */
export function readReportLine(line: string): ReportLine | null {
  return reportLine.safeParse(tryParseJson(line)).data ?? null;
}

interface ReportEnd {
  /** `cells/a1.test.py` */
  readonly testFile: string;
  /** Why the process ended before the tests did; null if they completed. */
  readonly broken: string | null;
}

/**
 * The tests in a report; a test that was cut short, or never began, becomes an error (docs/spec/tests-and-consoles.md,
 * 1).
 */
export function casesOf(lines: readonly ReportLine[], { testFile, broken }: ReportEnd): readonly TestCase[] {
  const error = (message: string, line: number | null = null): TestCase => ({
    name: COLLECTION,
    nodeid: testFile,
    outcome: 'error',
    message,
    line,
  });
  for (const line of lines) {
    if (line.event === 'collection_error') return [error(line.message, line.line)];
  }
  const cases: TestCase[] = [];
  let open: Extract<ReportLine, { event: 'begin' }> | null = null;
  let collected: number | null = null;
  let internal: string | null = null;
  for (const line of lines) {
    if (line.event === 'collected') collected = line.count;
    if (line.event === 'broken') internal = line.message;
    if (line.event === 'begin') open = line;
    if (line.event !== 'end') continue;
    const { event: _, ...found } = line;
    cases.push(found);
    open = null;
  }
  const isDone = lines.some(({ event }) => event === 'done');
  const why = broken ?? internal ?? (isDone && open === null ? null : 'The tests were interrupted here.');
  if (why !== null) {
    const missing = Math.max(0, (collected ?? 0) - cases.length - (open === null ? 0 : 1));
    const message =
      missing === 0
        ? why
        : `${why}\n\n${missing === 1 ? '1 test' : `${missing} tests`} after it did not run.`;
    cases.push(open === null ? error(message) : { ...error(message), name: open.name, nodeid: open.nodeid });
  }
  if (cases.length === 0) {
    return [error(`No tests were found in ${testFile}. A test is a function whose name begins with test_.`)];
  }
  return bounded(cases);
}

const COLLECTION = '<collection>';

/** Limits for frames and runtime.json: the number of tests, and the total length of their texts. */
const MAX_CASES = 2_000;
const MAX_TEXT = 400_000;
const KEPT_OF_LATER = 300;

/** Failures are retained before others, in their order. */
function bounded(cases: readonly TestCase[]): readonly TestCase[] {
  const isTrouble = ({ outcome }: TestCase) => outcome === 'failed' || outcome === 'error';
  const few =
    cases.length <= MAX_CASES
      ? cases
      : [...cases.filter(isTrouble), ...cases.filter((one) => !isTrouble(one))].slice(0, MAX_CASES);
  let text = 0;
  return few.map((one) => {
    text += one.message.length;
    return text <= MAX_TEXT || one.message.length <= KEPT_OF_LATER
      ? one
      : { ...one, message: `${one.message.slice(0, KEPT_OF_LATER)}…` };
  });
}
