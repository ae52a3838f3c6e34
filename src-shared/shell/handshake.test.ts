import { expect, it } from 'vitest';
import { readServerMessage, readShellMessage } from './handshake.ts';

const token = 't'.repeat(43);
const start = { type: 'start', token, roots: ['/a'], trusted: ['/b'], port: 0, resources: null };

it.each([
  ['start', start, true],
  ['start with resources', { ...start, resources: '/r' }, true],
  ['a short token', { ...start, token: 'short' }, false],
  ['no token', { ...start, token: undefined }, false],
  ['roots that are not texts', { ...start, roots: [1] }, false],
  ['trusted folders that are not texts', { ...start, trusted: '/' }, false],
  ['no trusted folders', { ...start, trusted: undefined }, false],
  ['a port out of range', { ...start, port: 65_536 }, false],
  ['resources of another kind', { ...start, resources: 3 }, false],
  ['grant', { type: 'grant', id: 1, root: '/a' }, true],
  ['a grant without a folder', { type: 'grant', id: 1, root: '' }, false],
  ['trust', { type: 'trust', id: 1, root: '/a' }, true],
  ['trust without a folder', { type: 'trust', id: 1 }, false],
  ['ask_running', { type: 'ask_running', id: 1 }, true],
  ['network', { type: 'network', variables: { HTTPS_PROXY: 'http://proxy:1' } }, true],
  ['a network without variables', { type: 'network' }, false],
  ['a network of other things', { type: 'network', variables: { A: 1 } }, false],
  ['a network in a list', { type: 'network', variables: ['A'] }, false],
  ['a message of a helper', { type: 'helper_said', id: 1, message: { kind: 'ask', big: 1n } }, true],
  ['a helper without a number', { type: 'helper_said', id: '1', message: null }, false],
  ['the end of a helper', { type: 'helper_gone', id: 1 }, true],
  ['stop', { type: 'stop' }, true],
  ['something else', { type: 'run' }, false],
  ['a text', 'stop', false],
  ['nothing', null, false],
])('[DK-4] the server reads %s', (_name, data, is) => {
  expect(readShellMessage(data)).toEqual(is ? data : null);
});

it.each([
  ['listening', { type: 'listening', port: 80 }, true],
  ['listening without a port', { type: 'listening', port: 0 }, false],
  ['granted', { type: 'granted', id: 1 }, true],
  ['running', { type: 'running', id: 1, names: ['a'] }, true],
  ['running without names', { type: 'running', id: 1 }, false],
  ['made', { type: 'made', path: '/a' }, true],
  ['made without a folder', { type: 'made' }, false],
  ['removed', { type: 'removed', path: '/a' }, true],
  ['removed without a folder', { type: 'removed', path: '' }, false],
  ['a request for a helper', { type: 'helper_start', id: 1 }, true],
  ['a request for a helper by name', { type: 'helper_start', program: 'sh' }, false],
  ['a message to a helper', { type: 'helper_say', id: 1, message: null }, true],
  ['the end of a helper', { type: 'helper_end', id: 1 }, true],
  ['failed', { type: 'failed', message: 'why' }, true],
  ['a failure without a message', { type: 'failed' }, false],
  ['something else', { type: 'start' }, false],
  ['nothing', undefined, false],
])('[DK-4] the shell reads %s', (_name, data, is) => {
  expect(readServerMessage(data)).toEqual(is ? data : null);
});
