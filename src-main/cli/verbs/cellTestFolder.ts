/** The command `svc cell test` for a folder: runs the tests of cells without a server. */

import { basename, resolve } from 'node:path';
import { isCellId } from '../../../src-shared/notebook/ids.ts';
import type { StoredTestResult } from '../../../src-shared/wire/cellTests.ts';
import { AppError } from '../../../src-shared/wire/errors.ts';
import { ConfigError } from '../../config/configError.ts';
import { hideInAnswer } from '../../server/hideInAnswer.ts';
import type { Session } from '../../session/api.ts';
import { formatOf, UsageError } from '../arguments.ts';
import { composeApp } from '../composeApp.ts';
import { readSourceArgument } from '../place/sourceArgument.ts';
import { waitForSessionSync } from '../waitForSessionSync.ts';
import type { TestArguments } from './cellTestOptions.ts';
import { type CellTestResults, exitCodeOf, testReportText } from './cellTestReport.ts';

interface TestOptions {
  readonly dir: string;
  readonly ids: readonly string[];
  /** Test source to write first; null: use the notebook's. */
  readonly source: string | null;
  readonly sync: boolean;
  readonly format: 'human' | 'json';
}

/**
 * `svc cell test DIR [ID]…`: runs the tests of these cells, or of every cell that has some (docs/spec/command-line.md,
 * 4).
 * @returns 0 if all pass, 1 if one fails or a cell cannot be tested, 2 if pytest is not available
 */
export async function testFolder({ values, positionals }: TestArguments): Promise<number> {
  const [dir, ...ids] = positionals;
  if (dir === undefined) throw new UsageError('svc cell test needs a notebook folder and cell ids');
  if (values.file !== undefined && ids.length !== 1) throw new UsageError('--file needs exactly one cell');
  const options: TestOptions = {
    dir: resolve(dir),
    ids: [...new Set(ids)],
    source: values.file === undefined ? null : await readSourceArgument(values.file),
    sync: !values['no-sync'],
    format: formatOf(values.format ?? 'json'),
  };
  try {
    return await testNotebook(options);
  } catch (error) {
    if (!(error instanceof AppError) && !(error instanceof ConfigError)) throw error;
    process.stderr.write(`svc: ${error.message}\n`);
    return 2;
  }
}

async function testNotebook(options: TestOptions): Promise<number> {
  const app = await composeApp({ grants: [options.dir], warmsForWorkOnly: true });
  try {
    const session = await app.sessions.open(options.dir);
    await waitForSessionSync(session, { sync: options.sync, quiet: false });
    const ids = options.ids.length > 0 ? options.ids : testedCells(session);
    const tested: CellTestResults[] = [];
    for (const id of ids) tested.push(await testCell(session, id, options.source));
    const visible = hideInAnswer(tested, session.views.notebook.redactor());
    const end = exitCodeOf(visible);
    const [only] = visible;
    const isSingle = options.ids.length === 1 && only !== undefined;
    const report = isSingle ? only : { notebook: basename(options.dir), success: end === 0, cells: visible };
    const text = options.format === 'json' ? JSON.stringify(report, null, 2) : testReportText(visible);
    process.stdout.write(`${text}\n`);
    return end;
  } finally {
    await app.close();
  }
}

/** In the notebook's order. */
function testedCells(session: Session): readonly string[] {
  return session.views.cells.all().flatMap(({ id, test_source }) => (test_source.trim() === '' ? [] : [id]));
}

async function testCell(session: Session, id: string, source: string | null): Promise<CellTestResults> {
  if (!isCellId(id)) return { cell_id: id, error: 'Cell not found' };
  const reply = await session.dispatch(
    { type: 'test_cell', cellId: id, source, base: null },
    { kind: 'caller', identity: 'local' },
  );
  if (reply.kind === 'tested') return counted(id, reply.result);
  if (reply.kind === 'refused') return { cell_id: id, error: reply.error.message };
  throw new Error(`tests were answered with ${reply.kind}`);
}

function counted(id: string, result: StoredTestResult): CellTestResults {
  const { passed, failed, errored, skipped, pytest_unavailable, tests, auto_installed, problem } = result;
  return {
    cell_id: id,
    passed,
    failed,
    errored,
    skipped,
    pytest_unavailable,
    cases: tests.map(({ name, outcome, message, line }) => ({ name, outcome, message, line: line ?? null })),
    auto_installed,
    ...(problem === undefined ? {} : { problem }),
  };
}
