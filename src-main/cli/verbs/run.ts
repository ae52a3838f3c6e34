/** The command `svc run`: runs a notebook without a window and prints what each cell did. */

import { basename, resolve } from 'node:path';
import { AppError } from '../../../src-shared/wire/errors.ts';
import { shownStream } from '../../../src-shared/wire/toRunResult.ts';
import { ConfigError } from '../../config/configError.ts';
import type { Session } from '../../session/api.ts';
import type { CellRunResult } from '../../session/state/requests.ts';
import { defineCommand, formatOf, HUMAN_FORMAT, onlyFolder, UsageError } from '../arguments.ts';
import { waitForSessionSync } from '../waitForSessionSync.ts';

interface RunOptions {
  readonly dir: string;
  readonly force: boolean;
  readonly sync: boolean;
  readonly timeoutSeconds: number | null;
  readonly quiet: boolean;
  readonly format: 'human' | 'json';
}

/** `svc run DIR`: runs every cell in order, unchanged ones from the cache (docs/spec/command-line.md, 2). */
export const run = defineCommand({
  usage: 'DIR',
  options: {
    force: {
      type: 'boolean',
      default: false,
      says: 'Run all cells, even if their results are stored.',
    },
    'no-sync': { type: 'boolean', default: false, says: 'Do not sync the environment first.' },
    timeout: {
      type: 'string',
      takes: 'S',
      says: 'Timeout of a cell in seconds, unless the notebook or the cell sets its own. Default: 300.',
    },
    quiet: { type: 'boolean', default: false, says: 'Omit console output of cells.' },
    format: HUMAN_FORMAT,
  },
  async run({ values, positionals }) {
    const timeout = values.timeout === undefined ? null : Number(values.timeout);
    if (timeout !== null && !(timeout > 0))
      throw new UsageError(`--timeout must be a number of seconds above 0, not ${values.timeout}`);
    const options: RunOptions = {
      dir: resolve(onlyFolder(positionals, 'run')),
      force: values.force,
      sync: !values['no-sync'],
      timeoutSeconds: timeout,
      quiet: values.quiet,
      format: formatOf(values.format),
    };
    try {
      return await runNotebook(options);
    } catch (error) {
      if (!(error instanceof AppError) && !(error instanceof ConfigError)) throw error;
      process.stderr.write(`svc: ${error.message}\n`);
      return 2;
    }
  },
});

async function runNotebook(options: RunOptions): Promise<number> {
  const startedAt = performance.now();
  // Wrong usage and help need neither: nine tenths of the code that this command loads [AR-63].
  const { composeApp } = await import('../composeApp.ts');
  const { hideInAnswer } = await import('../../server/hideInAnswer.ts');
  const app = await composeApp({
    grants: [options.dir],
    warmsForWorkOnly: !options.force,
    session: {
      leaves: 'all',
      ...(options.timeoutSeconds === null ? {} : { defaultTimeoutSeconds: options.timeoutSeconds }),
    },
  });
  try {
    const session = await app.sessions.open(options.dir);
    const { recheck_notice: recheck, damaged_notice: damaged } = session.views.notebook.body();
    if (damaged !== undefined) process.stderr.write(`svc: ${damaged}\n`);
    if (recheck !== undefined) process.stderr.write(`svc: ${recheck} They run now.\n`);
    await waitForSessionSync(session, options);
    const reply = await session.dispatch(
      { type: 'run_all', mode: options.force ? 'rerun' : 'normal', continueOnError: true },
      { kind: 'caller', identity: 'local' },
    );
    if (reply.kind === 'refused') throw reply.error;
    const results = reply.kind === 'ran_all' ? reply.results : [];
    const whole = reportOf(session, {
      results,
      dir: options.dir,
      durationMs: performance.now() - startedAt,
    });
    const report = hideInAnswer(whole, session.views.notebook.redactor());
    if (options.format === 'json') process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
    else printHuman(report, options.quiet);
    return report.success ? 0 : 1;
  } finally {
    await app.close();
  }
}

function reportOf(
  session: Session,
  run: { readonly results: readonly CellRunResult[]; readonly dir: string; readonly durationMs: number },
) {
  const byId = new Map(run.results.map((result) => [result.cellId as string, result]));
  const cells = session.views.notebook.dag().topological_order.flatMap((id) => {
    const cell = session.views.cells.all().find((candidate) => candidate.id === id);
    const result = byId.get(id);
    if (cell === undefined) return [];
    // Markdown and empty cells have nothing to run.
    if (result === undefined) return [{ id, status: 'ok' as const, duration_ms: 0, cache_hit: true }];
    return [cellReport(result)];
  });
  return {
    notebook: basename(run.dir),
    success: cells.every((cell) => cell.status !== 'error'),
    duration_ms: Math.round(run.durationMs),
    cells,
  };
}

function cellReport({ cellId, status, result, provenanceHash, stored }: CellRunResult) {
  return {
    id: cellId as string,
    status,
    duration_ms: Math.round(result?.duration_ms ?? 0),
    cache_hit: result?.cache_hit ?? false,
    ...(status === 'skipped' ? { reason: 'upstream failed' } : {}),
    ...(result?.stdout ? { stdout: shownStream(result.stdout) } : {}),
    ...(result?.stderr ? { stderr: shownStream(result.stderr) } : {}),
    ...(result?.error == null ? {} : { error: result.error }),
    ...(result?.traceback == null ? {} : { traceback: result.traceback }),
    ...(result?.error_code === undefined ? {} : { error_code: result.error_code }),
    ...(result !== null && result.mutation_warnings.length > 0
      ? { mutation_warnings: result.mutation_warnings }
      : {}),
    ...(provenanceHash === null || status !== 'ok' ? {} : { provenance_hash: provenanceHash }),
    ...(stored.length === 0 ? {} : { outputs: stored }),
  };
}

function printHuman(report: ReturnType<typeof reportOf>, quiet: boolean): void {
  const lines: string[] = [];
  for (const cell of report.cells) {
    const how = cell.status === 'ok' ? (cell.cache_hit ? 'cached' : 'ran') : cell.status;
    lines.push(`${how.padEnd(8)} ${cell.id.padEnd(12)} ${cell.duration_ms} ms`);
    if (!quiet && 'stdout' in cell && cell.stdout) lines.push(indented(cell.stdout));
    if (!quiet && 'stderr' in cell && cell.stderr) lines.push(indented(cell.stderr));
    // The error of a cell is not part of its output; without it the report would only say that the cell
    // failed.
    if ('error' in cell && cell.error)
      lines.push(indented(('traceback' in cell && cell.traceback) || cell.error));
  }
  lines.push(`${report.notebook}: ${report.success ? 'ok' : 'failed'} in ${report.duration_ms} ms`);
  process.stdout.write(`${lines.join('\n')}\n`);
}

function indented(text: string): string {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n');
}
