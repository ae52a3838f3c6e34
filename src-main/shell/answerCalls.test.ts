import { expect, it } from 'vitest';
import type { ShellCallName } from '../../src-shared/shell/calls.ts';
import { answerCalls } from './answerCalls.ts';

const OWN = 'http://127.0.0.1:4000';
const PAGE = { parent: null, url: `${OWN}/#/` };
const STATE = { running: 1, title: 'a', seconds: null, failed: false };

/** Calls as they come from pages, answered by handlers that record them. */
function stage(origin: string | null = OWN) {
  const handled: string[] = [];
  const channels = new Map<string, (event: never, payload: unknown) => Promise<unknown>>();
  const note = (name: ShellCallName) => (asked: unknown) => {
    handled.push(`${name} ${JSON.stringify(asked)}`);
    return null;
  };
  answerCalls<{ readonly name: string }>({
    ipcMain: { handle: (channel, listener) => void channels.set(channel, listener) },
    origin: () => origin,
    windowOf: (id) => (id === 1 ? { name: 'ours' } : null),
    handlers: {
      chooseNotebook: note('chooseNotebook'),
      chooseNewNotebook: note('chooseNewNotebook'),
      grantDropped: note('grantDropped'),
      remember: note('remember'),
      setRunState: note('setRunState'),
      newWindow: note('newWindow'),
      keepWorkerToken: (token) => note('keepWorkerToken')(token) === null,
      workerTokens: (notebook) => (note('workerTokens')(notebook) === null ? [] : []),
      trustNotebook: (path) => note('trustNotebook')(path) === null,
    },
  });
  const call = async (
    name: string,
    payload: unknown,
    frame: unknown = PAGE,
    sender = 1,
  ): Promise<boolean> => {
    const event = { sender: { id: sender }, senderFrame: frame };
    const answer = channels.get(`cellar:${name}`);
    if (answer === undefined) throw new Error(`no channel for ${name}`);
    return answer(event as never, payload).then(
      () => true,
      () => false,
    );
  };
  return { call, handled, channels };
}

it.each<readonly [ShellCallName, unknown, boolean]>([
  ['chooseNotebook', null, true],
  ['chooseNotebook', '/a', false],
  ['chooseNewNotebook', undefined, true],
  ['grantDropped', '/a', true],
  ['grantDropped', 'C:\\a', true],
  ['grantDropped', '\\\\server\\a', true],
  ['grantDropped', 'a', false],
  ['grantDropped', '/a\0', false],
  ['grantDropped', `/${'a'.repeat(5_000)}`, false],
  ['grantDropped', { toString: () => '/a' }, false],
  ['trustNotebook', '/a', true],
  ['trustNotebook', 'a', false],
  ['trustNotebook', null, false],
  ['keepWorkerToken', { notebook: 'n', worker: 'w', url: 'http://w', token: 't' }, true],
  ['keepWorkerToken', { notebook: 'n', worker: 'w', url: 'http://w', token: null }, true],
  ['keepWorkerToken', { notebook: 'n', worker: 'w', url: 'http://w' }, false],
  ['keepWorkerToken', { notebook: 1, worker: 'w', url: 'http://w', token: 't' }, false],
  ['workerTokens', 'n', true],
  ['workerTokens', null, false],
  ['remember', { path: '/a', name: 'A' }, true],
  ['remember', { path: '/a' }, false],
  ['remember', { path: 'a', name: 'A' }, false],
  ['setRunState', STATE, true],
  ['setRunState', { ...STATE, running: -1 }, false],
  ['setRunState', { ...STATE, running: 0.5 }, false],
  ['setRunState', { ...STATE, seconds: Number.NaN }, false],
  ['setRunState', { ...STATE, failed: 'no' }, false],
  ['newWindow', null, true],
  ['newWindow', '/a', true],
  ['newWindow', 7, false],
])('[DK-8] %s with %j is accepted: %s', async (name, payload, is) => {
  const { call, handled } = stage();
  expect(await call(name, payload)).toBe(is);
  expect(handled).toHaveLength(is ? 1 : 0);
});

it.each([
  ['our page', PAGE, 1, OWN, true],
  ['a frame inside it', { parent: {}, url: `${OWN}/outputFrame.html` }, 1, OWN, false],
  ['a foreign page', { parent: null, url: 'https://example.org/' }, 1, OWN, false],
  ['a page of another port', { parent: null, url: 'http://127.0.0.1:4001/' }, 1, OWN, false],
  ['a closed frame', null, 1, OWN, false],
  ['contents of no window', PAGE, 2, OWN, false],
  ['a page before the server is up', PAGE, 1, null, false],
])('[DK-8] a call from %s', async (_name, frame, sender, origin, is) => {
  const { call, handled } = stage(origin);
  expect(await call('newWindow', null, frame, sender)).toBe(is);
  expect(handled).toHaveLength(is ? 1 : 0);
});

it('[DK-8] there are no other channels', () => {
  expect([...stage().channels.keys()].sort()).toEqual(
    [
      'chooseNewNotebook',
      'chooseNotebook',
      'grantDropped',
      'keepWorkerToken',
      'newWindow',
      'remember',
      'setRunState',
      'trustNotebook',
      'workerTokens',
    ].map((name) => `cellar:${name}`),
  );
});
