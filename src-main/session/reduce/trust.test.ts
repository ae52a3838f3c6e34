import { expect, it } from 'vitest';
import { cellId } from '../../../src-shared/notebook/ids.ts';
import type { SessionRequest } from '../state/requests.ts';
import { UNTRUSTED } from '../state/untrusted.ts';
import { createWorld, lines } from '../testing/testWorld.ts';

const CALLER = { kind: 'caller', identity: 'local' } as const;
const a = cellId('a');

it.each<readonly [string, SessionRequest]>([
  ['a run', { type: 'run_cell', cellId: a, mode: 'normal', upstream: 'go' }],
  ['a run without the cache', { type: 'run_cell', cellId: a, mode: 'force', upstream: 'go' }],
  ['a cascade', { type: 'confirm_plan', cellId: a, planId: 'p' }],
  ['a run of all', { type: 'run_all', mode: 'normal', continueOnError: true }],
])(
  '[DK-24] %s is refused in an untrusted folder, by code and message, to callers and sockets',
  (_name, request) => {
    const world = createWorld({ a: 'x = 1', b: 'x' }, { trusted: false });
    expect(world.send(request, CALLER)).toMatchObject({
      kind: 'refused',
      error: { code: 'NOTEBOOK_UNTRUSTED', message: UNTRUSTED },
    });
    world.send(request);
    expect(lines(world.frames)).toEqual([`refused only s1 NOTEBOOK_UNTRUSTED ${UNTRUSTED}`]);
    expect([world.pending, world.environmentStarts]).toEqual([[], 0]);
  },
);

it.each<readonly [string, SessionRequest]>([
  ['a run', { type: 'run_cell', cellId: a, mode: 'normal', upstream: 'go' }],
  ['a run of all', { type: 'run_all', mode: 'normal', continueOnError: true }],
])(
  '[NF-44] %s is refused with a message while the folder is missing, and allowed when it is back',
  (_name, request) => {
    const world = createWorld({ a: 'x = 1', b: 'x' });
    world.report({ type: 'folder_lost', problem: 'It is gone.', gone: true });
    expect(world.send(request, CALLER)).toMatchObject({
      kind: 'refused',
      error: { code: 'conflict', message: expect.stringContaining('folder is missing') },
    });
    expect(world.pending).toEqual([]);
    // An unreadable notebook.toml is reported as well, and the known cells run.
    world.report({ type: 'folder_lost', problem: 'It cannot be read.', gone: false });
    world.send(request, CALLER);
    expect(world.settle()[0]).toBe('a');
  },
);

it('[DK-29] in a replaced folder nothing runs until it is trusted', () => {
  const world = createWorld({ a: 'x = 1' });
  world.report({ type: 'folder_replaced' });
  world.report({ type: 'folder_replaced' });
  expect(lines(world.frames)).toEqual(['notebook_state']);
  expect(world.send({ type: 'run_all', mode: 'normal', continueOnError: true }, CALLER)).toMatchObject({
    kind: 'refused',
    error: { code: 'NOTEBOOK_UNTRUSTED' },
  });
  world.report({ type: 'folder_trusted' });
  world.send({ type: 'run_all', mode: 'normal', continueOnError: true }, CALLER);
  expect(world.settle()).toEqual(['a']);
});

it('[DK-24] an untrusted notebook is edited, and runs once it is trusted; its environment is set up then, once', () => {
  const world = createWorld({ a: 'x = 1', b: 'x' }, { trusted: false });
  world.send({ type: 'edit_source', cellId: a, source: 'x = 2', force: false });
  expect(world.state().cells.get(a)?.source).toBe('x = 2');
  world.frames.length = 0;
  world.report({ type: 'folder_trusted' });
  world.report({ type: 'folder_trusted' });
  expect(lines(world.frames)).toEqual(['notebook_state']);
  expect(world.environmentStarts).toBe(1);
  world.send({ type: 'run_all', mode: 'normal', continueOnError: true }, CALLER);
  expect(world.settle()).toEqual(['a', 'b']);
});
