/**
 * Plays a story of edits, runs and kills on a server, and compares what is shown with a plain interpreter after each
 * step.
 */

import type { PlainCell, PlainInterpreter } from '../plain/plainInterpreter.ts';
import { change, type Moment, rightOf, tomlOf } from '../play/moment.ts';
import { FILES } from './grammar.ts';
import { faultOf } from './judgeLife.ts';
import type { LifeServer } from './lifeServer.ts';
import type { LifeStep, Story } from './story.ts';

/** The mount `raw` of every story. */
const MOUNTS = { raw: 'mounted' };
/**
 * False, because a warning is currently reported only once: neither a hit nor reopening repeats it. Every warning about
 * a source so far therefore counts, and after a kill, which may have lost it, a change in place counts as reported.
 */
const WORDS_ARE_KEPT = false;
const IN_PLACE = /\.append\(/;

interface Life {
  readonly server: LifeServer;
  readonly plain: PlainInterpreter;
  readonly moment: Moment;
  /** The warnings so far by the source of the cell. */
  readonly said: Map<string, readonly string[]>;
  wasKilled: boolean;
}

/** Plays a story. @returns the first fault with its step; null if there is none */
export async function playLife(
  server: LifeServer,
  plain: PlainInterpreter,
  story: Story,
): Promise<string | null> {
  const { cells, env, steps } = story;
  const session = await server.slot.begin({ cells, files: FILES, toml: tomlOf(env, MOUNTS) });
  const moment: Moment = { session, sources: [...cells], env, mounts: MOUNTS };
  const life: Life = { server, plain, moment, said: new Map(), wasKilled: false };
  try {
    const first = await runAll(life);
    if (first !== null) return `at first: ${first}`;
    for (const [index, step] of steps.entries()) {
      const fault = await live(life, step);
      if (fault !== null) return `after step ${index + 1}, ${JSON.stringify(step)}: ${fault}`;
    }
    return null;
  } finally {
    await moment.session.close();
  }
}

async function live(life: Life, step: LifeStep): Promise<string | null> {
  const { moment, plain, server } = life;
  if (step === 'runAll') return runAll(life);
  if (step !== 'kill' && step !== 'reopen') {
    if ('runOnly' in step) return run(life, step.runOnly, 'normal');
    if ('rerun' in step) return run(life, step.rerun, 'rerun');
    if ('force' in step) return run(life, step.force, 'force');
    if (!('killAfterRun' in step || 'killDuringRun' in step)) {
      if (!(await change(moment, step))) return runAll(life);
      return look(life, await rightOf(moment, plain));
    }
  }
  if (step === 'reopen') await change(moment, step);
  else await kill(life, step);
  const fault = await look(life, await rightOf(moment, plain));
  if (fault !== null || step === 'reopen') return fault;
  return runAll(life).then((after) => (after === null ? null : `all run: ${after}`));

  async function kill(
    of: Life,
    how: 'kill' | { readonly killAfterRun: number } | { readonly killDuringRun: number },
  ): Promise<void> {
    if (how !== 'kill' && 'killAfterRun' in how) await moment.session.execute(how.killAfterRun);
    if (how !== 'kill' && 'killDuringRun' in how) {
      // The request fails when the server is killed.
      moment.session.execute(how.killDuringRun, 'rerun').catch(() => undefined);
      await moment.session.call('GET', '/cells');
    }
    await server.kill();
    of.wasKilled = true;
    moment.session = await server.slot.open();
  }
}

async function run(life: Life, cell: number, mode: 'normal' | 'rerun' | 'force'): Promise<string | null> {
  const right = await rightOf(life.moment, life.plain);
  if ((await life.moment.session.execute(cell, mode)) === null) return `cell ${cell} did not end`;
  return look(life, right);
}

async function runAll(life: Life): Promise<string | null> {
  const right = await rightOf(life.moment, life.plain);
  for (const cell of life.moment.sources.keys()) {
    if ((await life.moment.session.execute(cell)) === null) return `cell ${cell} did not end`;
  }
  return look(life, right);
}

async function look(life: Life, right: readonly PlainCell[]): Promise<string | null> {
  const shown = await life.moment.session.shown();
  for (const { id, source, error } of shown.cells) {
    const words = (shown.words.get(id) ?? []).filter((text) => text !== error);
    if (words.length > 0) life.said.set(source, words);
  }
  return faultOf(shown, right, (source) => saidOf(life, source));
}

function saidOf({ said, wasKilled }: Life, source: string): readonly string[] {
  const words = said.get(source) ?? [];
  return !WORDS_ARE_KEPT && wasKilled && IN_PLACE.test(source) ? [...words, source] : words;
}
