/** The commands `svc cell run` and `cancel`, and `svc cell test` for cells of a server's session. */

import type { RunResult } from '../../../src-shared/wire/runResult.ts';
import { runResultOf } from '../../../src-shared/wire/toRunResult.ts';
import { type OptionTable, UsageError } from '../arguments.ts';
import { readSourceArgument } from '../place/sourceArgument.ts';
import type { Target } from '../place/target.ts';
import {
  type CommandLine,
  type CommandResult,
  onlyArgument,
  targetCommand,
  textOption,
} from '../place/targetCommand.ts';
import { type CellTestResults, exitCodeOf, testReportText } from './cellTestReport.ts';

/** Runs one cell over REST. @throws CallError */
export async function runCell(
  target: Target,
  id: string,
  mode: 'normal' | 'rerun' | 'force',
): Promise<RunResult> {
  const params = { sid: target.sid, cell_id: id };
  return runResultOf(await target.call('executeCell', { params, query: { mode } }));
}

/** `svc cell run TGT ID [--rerun | --force]`: exit code 1 if the cell fails. */
export const cellRun = targetCommand({
  usage: 'ID',
  options: {
    rerun: { type: 'boolean', default: false, says: 'Run the cell even if its result is stored.' },
    force: {
      type: 'boolean',
      default: false,
      says: 'Like --rerun, but do not run the cells above it first.',
    },
  },
  needsEnvironment: () => true,
  prepare(line) {
    const { rerun, force } = line.values;
    if (rerun === true && force === true) throw new UsageError('use either --rerun or --force');
    const mode =
      force === true ? ('force' as const) : rerun === true ? ('rerun' as const) : ('normal' as const);
    return { id: onlyArgument(line, 'one cell'), mode };
  },
  run: async (target, { id, mode }) => runCommandResult(await runCell(target, id, mode)),
});

/** The result of a run as the result of a command. */
export function runCommandResult(result: RunResult): CommandResult {
  return { answer: result, human: runText(result), code: result.status === 'error' ? 1 : 0 };
}

function runText({ cell_id, status, cache_hit, duration_ms, stdout, stderr, error, traceback }: RunResult) {
  const how = status === 'error' ? 'failed' : cache_hit ? 'cached' : 'ran';
  const parts = [stdout.trimEnd(), stderr.trimEnd(), traceback ?? error ?? ''];
  return [...parts.filter((part) => part !== ''), `${how} ${cell_id} ${Math.round(duration_ms)} ms`].join(
    '\n',
  );
}

/** `svc cell cancel ID --server --session`: exit code 0 if something was stopped, 1 if nothing was running. */
export const cellCancel = targetCommand({
  usage: 'ID',
  options: {},
  needsEnvironment: () => false,
  prepare(line) {
    if (line.place.kind === 'folder')
      throw new UsageError('cancelling needs a running server: use --server URL --session ID');
    return onlyArgument(line, 'one cell');
  },
  async run(target, id) {
    const answer = await target.call('cancelCell', { params: { sid: target.sid, cell_id: id } });
    return {
      answer,
      human: answer.cancelled ? `Stopped ${id}.` : `${id} was not running.`,
      code: answer.cancelled ? 0 : 1,
    };
  },
});

/** The options of `cell test`, for both kinds of target. */
export const TEST_OPTIONS = {
  file: {
    type: 'string',
    takes: 'FILE',
    says: 'First replace the cell’s tests with this file; - is standard input.',
  },
} as const satisfies OptionTable;

/**
 * `svc cell test --server URL --session ID CELL…`: the tests of cells in a server's session; see `cellTest` for a
 * folder.
 */
export const cellTestOnServer = targetCommand({
  usage: '[ID]…',
  options: TEST_OPTIONS,
  needsEnvironment: () => false,
  async prepare({ rest, values }: CommandLine) {
    const file = textOption(values['file']);
    if (file !== undefined && rest.length !== 1) throw new UsageError('--file needs exactly one cell');
    return { ids: [...new Set(rest)], source: file === undefined ? null : await readSourceArgument(file) };
  },
  async run(target, { ids, source }) {
    const { sid } = target;
    const cellIds = ids.length > 0 ? ids : await testedIds(target);
    const tested: CellTestResults[] = [];
    for (const id of cellIds) {
      const params = { sid, cell_id: id };
      if (source !== null) await target.call('setCellTests', { params, body: { source } });
      const counts = await target.call('runCellTests', { params });
      const { passed, failed, errored, skipped, pytest_unavailable, tests, problem } = counts;
      tested.push({
        cell_id: id,
        passed,
        failed,
        errored,
        skipped,
        pytest_unavailable,
        cases: tests.map(({ name, outcome, message, line }) => ({
          name,
          outcome,
          message,
          line: line ?? null,
        })),
        auto_installed: [],
        ...(problem === undefined ? {} : { problem }),
      });
    }
    const end = exitCodeOf(tested);
    const [only] = tested;
    const answer = ids.length === 1 && only !== undefined ? only : { success: end === 0, cells: tested };
    return { answer, human: testReportText(tested), code: end };
  },
});

async function testedIds(target: Target): Promise<readonly string[]> {
  const { cells } = await target.call('listCells', { params: { sid: target.sid } });
  return cells.flatMap(({ id, test_source }) => (test_source.trim() === '' ? [] : [id]));
}
