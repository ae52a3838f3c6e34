import type { PlainCell, PlainInterpreter } from '../plain/plainInterpreter.ts';
import type { Row, Step } from '../rows/row.ts';
import { type Judgement, judge, judgeAgreement, SAME, worse } from './judge.ts';
import { change, type Moment, rightOf, tomlOf } from './moment.ts';
import { cellId, type Slot } from './slot.ts';

/** The judgement of a row, and the step after which it was first reached. */
export interface Played extends Judgement {
  readonly at: string;
  /** The messages so far. */
  readonly words: readonly string[];
}

interface Play {
  readonly row: Row;
  readonly plain: PlainInterpreter;
  readonly moment: Moment;
  worst: Played;
}

/** Plays a row on a server: runs the last cell, then all in order, after opening and after every step. */
export async function playRow(slot: Slot, plain: PlainInterpreter, row: Row): Promise<Played> {
  const { cells, files = {}, env = {}, mounts = {} } = row;
  const session = await slot.begin({ cells, files, toml: tomlOf(env, mounts) });
  const moment: Moment = { session, sources: [...cells], env, mounts };
  const play: Play = { row, plain, moment, worst: { ...SAME, at: '', words: [] } };
  try {
    await settle(play, 'first');
    for (const [index, step] of (row.steps ?? []).entries()) {
      const at = `step ${index + 1} (${typeof step === 'string' ? step : Object.keys(step).join()})`;
      await take(play, step, at);
      if (typeof step === 'object' && ('runOnly' in step || 'writeOnly' in step)) continue;
      await settle(play, at);
    }
    return play.worst;
  } finally {
    await moment.session.close();
  }
}

async function take(play: Play, step: Step, at: string): Promise<void> {
  const { moment, plain } = play;
  if (typeof step === 'object' && ('rerun' in step || 'force' in step || 'runOnly' in step)) {
    const right = await rightOf(moment, plain);
    if ('runOnly' in step) await run(play, step.runOnly);
    else if ('rerun' in step) await run(play, step.rerun, 'rerun');
    else await run(play, step.force, 'force');
    await look(play, right, at);
    return;
  }
  if (await change(moment, step)) await look(play, await rightOf(moment, plain), at);
}

async function run(play: Play, cell: number, mode?: 'rerun' | 'force'): Promise<void> {
  if ((await play.moment.session.execute(cell, mode)) !== null) return;
  const detail = `${cellId(cell)} did not end`;
  play.worst = { verdict: 'SILENTLY DIFFERENT', detail, at: 'a run', words: [] };
}

async function settle(play: Play, at: string): Promise<void> {
  const { moment, plain } = play;
  const right = await rightOf(moment, plain);
  await run(play, moment.sources.length - 1);
  await look(play, right, `${at}, last cell run`);
  for (const cell of moment.sources.keys()) await run(play, cell);
  await look(play, right, `${at}, all run`);
}

async function look(play: Play, right: readonly PlainCell[], at: string): Promise<void> {
  const shown = await play.moment.session.shown();
  const { agree } = play.row;
  const seen = agree === undefined ? judge(shown, right) : judgeAgreement(shown, agree);
  if (worse(play.worst, seen) === play.worst) return;
  play.worst = { ...seen, at, words: [...shown.words.values()].flat() };
}
