import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { killMarked, type ProcessCheck, type Processes, withoutEnvironment } from './killMarked.ts';
import { signalGroup } from './processGroup.ts';

/**
 * A simulated machine: its processes at each listing, and those that appear when a process is checked.
 * `marked` ones stay until they are killed.
 */
function machine(
  start: readonly string[],
  looks: Readonly<Record<string, readonly [ProcessCheck, ...string[]][]>>,
) {
  const running = new Set(start);
  const killed: string[] = [];
  const turns = new Map<string, number>();
  const processes: Processes = {
    list: async () => [...running],
    look: async (pid) => {
      const turn = turns.get(pid) ?? 0;
      turns.set(pid, turn + 1);
      const script = looks[pid] ?? [['other']];
      const [look, ...forked] = script[Math.min(turn, script.length - 1)] ?? ['other'];
      for (const one of forked) running.add(one);
      if (look === 'ended') running.delete(pid);
      return look;
    },
    kill: (pid) => {
      killed.push(pid);
      running.delete(pid);
    },
  };
  return { processes, killed, there: running };
}

const rows: readonly {
  readonly name: string;
  readonly start: readonly string[];
  readonly looks: Readonly<Record<string, readonly [ProcessCheck, ...string[]][]>>;
  readonly killed: readonly string[];
}[] = [
  { name: 'nothing of ours', start: ['1', '2'], looks: {}, killed: [] },
  { name: 'one of ours', start: ['1', '2'], looks: { '2': [['marked']] }, killed: ['2'] },
  {
    name: 'one that forked while it was checked',
    start: ['2'],
    looks: { '2': [['marked', '3']], '3': [['marked']] },
    killed: ['2', '3'],
  },
  {
    // A daemon's double fork: the middle process ends before it is checked.
    name: 'one whose parent had ended before it was checked',
    start: ['2'],
    looks: { '2': [['ended', '3']], '3': [['ended', '4']], '4': [['marked']] },
    killed: ['4'],
  },
  {
    name: 'one that was turning into another program',
    start: ['2'],
    looks: { '2': [['changing'], ['changing'], ['marked']] },
    killed: ['2'],
  },
];
test.each(rows)('[EX-25] the processes of a run are found: $name', async ({ start, looks, killed }) => {
  const world = machine(start, looks);
  await killMarked('NAME', 'value', world.processes);
  expect(world.killed).toEqual(killed);
});

test('[EX-25] a process that never stops changing is skipped', async () => {
  const world = machine(['2'], { '2': [['changing']] });
  await killMarked('NAME', 'value', world.processes);
  expect(world.killed).toEqual([]);
});

const filler = (state: string, flags: number, environment: readonly [string, string]): string =>
  `7 (a (b) c) ${[state, ...Array(5).fill('0'), flags, ...Array(40).fill('0'), ...environment, '0'].join(' ')}`;
test.each<[string, string, ProcessCheck]>([
  ['a zombie', filler('Z', 0, ['0', '0']), 'ended'],
  ['a thread of the kernel', filler('S', 0x00200040, ['0', '0']), 'other'],
  ['in the middle of execve', filler('R', 0, ['0', '0']), 'changing'],
  ['just after execve', filler('R', 0, ['140', '190']), 'changing'],
  ['started without any environment', filler('S', 0, ['140', '140']), 'other'],
])('a process whose environment cannot be read: %s', (_name, stat, look) => {
  expect(withoutEnvironment(stat)).toBe(look);
});

describe.skipIf(process.platform !== 'linux')('on this machine', () => {
  const marked = (mark: string, command: string, args: readonly string[]) =>
    spawn(command, args, { detached: true, stdio: 'ignore', env: { ...process.env, CELLAR_MARK: mark } });

  test('a missing group is not an error, a marked process is found in any group', async () => {
    const mark = randomUUID();
    const child = marked(mark, 'sleep', ['60']);
    const exited = new Promise((resolve) => child.once('exit', (_, signal) => resolve(signal)));
    await killMarked('CELLAR_MARK', `${mark}-another`);
    expect(child.exitCode).toBeNull();
    await killMarked('CELLAR_MARK', mark);
    expect(await exited).toBe('SIGKILL');
    signalGroup(child.pid ?? 0, 'SIGTERM');
  });
});
