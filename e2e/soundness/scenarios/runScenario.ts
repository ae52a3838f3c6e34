/**
 * Runs a random scenario of edits, runs and kills on a server, and after each step compares what the notebook shows
 * with what a plain interpreter prints.
 */

import type { PlainCell, PlainInterpreter } from '../plain/plainInterpreter.ts';
import { change, expectedFrom, type NotebookUnderTest, tomlOf } from '../play/notebookUnderTest.ts';
import { FILES } from './grammar.ts';
import type { KillableServer } from './killableServer.ts';
import type { Scenario, ScenarioStep } from './scenario.ts';
import { faultOf } from './scenarioFault.ts';

/** The mount `raw` of every scenario. */
const MOUNTS = { raw: 'mounted' };

/** A scenario that is being run. */
interface ScenarioRun {
  readonly server: KillableServer;
  readonly plain: PlainInterpreter;
  readonly notebook: NotebookUnderTest;
}

/** Runs a scenario. @returns the first fault with its step; null if there is none */
export async function runScenario(
  server: KillableServer,
  plain: PlainInterpreter,
  scenario: Scenario,
): Promise<string | null> {
  const { cells, env, steps } = scenario;
  const session = await server.slot.begin({ cells, files: FILES, toml: tomlOf(env, MOUNTS) });
  const notebook: NotebookUnderTest = { session, sources: [...cells], env, mounts: MOUNTS };
  const scenarioRun: ScenarioRun = { server, plain, notebook };
  try {
    const first = await runAll(scenarioRun);
    if (first !== null) return `at first: ${first}`;
    for (const [index, step] of steps.entries()) {
      const fault = await takeStep(scenarioRun, step);
      if (fault !== null) return `after step ${index + 1}, ${JSON.stringify(step)}: ${fault}`;
    }
    return null;
  } finally {
    await notebook.session.close();
  }
}

async function takeStep(scenarioRun: ScenarioRun, step: ScenarioStep): Promise<string | null> {
  const { notebook, plain, server } = scenarioRun;
  if (step === 'runAll') return runAll(scenarioRun);
  if (step !== 'kill' && step !== 'reopen') {
    if ('runOnly' in step) return runCell(scenarioRun, step.runOnly, 'normal');
    if ('rerun' in step) return runCell(scenarioRun, step.rerun, 'rerun');
    if ('force' in step) return runCell(scenarioRun, step.force, 'force');
    if (!('killAfterRun' in step || 'killDuringRun' in step)) {
      if (!(await change(notebook, step))) return runAll(scenarioRun);
      return faultNow(scenarioRun, await expectedFrom(notebook, plain));
    }
  }
  if (step === 'reopen') await change(notebook, step);
  else await kill(step);
  const fault = await faultNow(scenarioRun, await expectedFrom(notebook, plain));
  if (fault !== null || step === 'reopen') return fault;
  return runAll(scenarioRun).then((after) => (after === null ? null : `all run: ${after}`));

  async function kill(
    how: 'kill' | { readonly killAfterRun: number } | { readonly killDuringRun: number },
  ): Promise<void> {
    if (how !== 'kill' && 'killAfterRun' in how) await notebook.session.execute(how.killAfterRun);
    if (how !== 'kill' && 'killDuringRun' in how) {
      // The request fails when the server is killed.
      notebook.session.execute(how.killDuringRun, 'rerun').catch(() => undefined);
      await notebook.session.call('GET', '/cells');
    }
    await server.kill();
    notebook.session = await server.slot.open();
  }
}

async function runCell(
  scenarioRun: ScenarioRun,
  cell: number,
  mode: 'normal' | 'rerun' | 'force',
): Promise<string | null> {
  const { notebook, plain } = scenarioRun;
  const expected = await expectedFrom(notebook, plain);
  if ((await notebook.session.execute(cell, mode)) === null) return `cell ${cell} did not end`;
  return faultNow(scenarioRun, expected);
}

async function runAll(scenarioRun: ScenarioRun): Promise<string | null> {
  const { notebook, plain } = scenarioRun;
  const expected = await expectedFrom(notebook, plain);
  for (const cell of notebook.sources.keys()) {
    if ((await notebook.session.execute(cell)) === null) return `cell ${cell} did not end`;
  }
  return faultNow(scenarioRun, expected);
}

async function faultNow({ notebook }: ScenarioRun, expected: readonly PlainCell[]): Promise<string | null> {
  return faultOf(await notebook.session.shown(), expected);
}
