/**
 * Plays a row of the soundness test on a server and compares what is shown with a plain interpreter after each step.
 */

import type { PlainCell, PlainInterpreter } from '../plain/plainInterpreter.ts';
import type { Row, Step } from '../rows/row.ts';
import { type Judgement, judge, judgeAgreement, SAME, worse } from './judge.ts';
import { change, expectedFrom, type NotebookUnderTest, tomlOf } from './notebookUnderTest.ts';
import { cellId, type Slot } from './slot.ts';

/** The judgement of a row, and the step after which it was first reached. */
export interface RowResult extends Judgement {
  readonly at: string;
  /** The messages so far. */
  readonly messages: readonly string[];
}

interface RowRun {
  readonly row: Row;
  readonly plain: PlainInterpreter;
  readonly notebook: NotebookUnderTest;
  worst: RowResult;
}

/** Plays a row on a server: runs the last cell, then all in order, after opening and after every step. */
export async function playRow(slot: Slot, plain: PlainInterpreter, row: Row): Promise<RowResult> {
  const { cells, files = {}, env = {}, mounts = {} } = row;
  const session = await slot.begin({ cells, files, toml: tomlOf(env, mounts) });
  const notebook: NotebookUnderTest = { session, sources: [...cells], env, mounts };
  const rowRun: RowRun = { row, plain, notebook, worst: { ...SAME, at: '', messages: [] } };
  try {
    await runLastThenAll(rowRun, 'first');
    for (const [index, step] of (row.steps ?? []).entries()) {
      const at = `step ${index + 1} (${typeof step === 'string' ? step : Object.keys(step).join()})`;
      await takeStep(rowRun, step, at);
      if (typeof step === 'object' && ('runOnly' in step || 'writeOnly' in step)) continue;
      await runLastThenAll(rowRun, at);
    }
    return rowRun.worst;
  } finally {
    await notebook.session.close();
  }
}

async function takeStep(rowRun: RowRun, step: Step, at: string): Promise<void> {
  const { notebook, plain } = rowRun;
  if (typeof step === 'object' && ('rerun' in step || 'force' in step || 'runOnly' in step)) {
    const expected = await expectedFrom(notebook, plain);
    if ('runOnly' in step) await run(rowRun, step.runOnly);
    else if ('rerun' in step) await run(rowRun, step.rerun, 'rerun');
    else await run(rowRun, step.force, 'force');
    await compare(rowRun, expected, at);
    return;
  }
  if (await change(notebook, step)) await compare(rowRun, await expectedFrom(notebook, plain), at);
}

async function run(rowRun: RowRun, cell: number, mode?: 'rerun' | 'force'): Promise<void> {
  if ((await rowRun.notebook.session.execute(cell, mode)) !== null) return;
  const detail = `${cellId(cell)} did not end`;
  rowRun.worst = { verdict: 'SILENTLY DIFFERENT', detail, at: 'a run', messages: [] };
}

async function runLastThenAll(rowRun: RowRun, at: string): Promise<void> {
  const { notebook, plain } = rowRun;
  const expected = await expectedFrom(notebook, plain);
  await run(rowRun, notebook.sources.length - 1);
  await compare(rowRun, expected, `${at}, last cell run`);
  for (const cell of notebook.sources.keys()) await run(rowRun, cell);
  await compare(rowRun, expected, `${at}, all run`);
}

async function compare(rowRun: RowRun, expected: readonly PlainCell[], at: string): Promise<void> {
  const shown = await rowRun.notebook.session.shown();
  const { agree } = rowRun.row;
  const judgement = agree === undefined ? judge(shown, expected) : judgeAgreement(shown, agree);
  if (worse(rowRun.worst, judgement) === rowRun.worst) return;
  rowRun.worst = { ...judgement, at, messages: [...shown.messages.values()].flat() };
}
