import { expect, it } from 'vitest';
import { openRequestOf } from './commandLine.ts';

it.each([
  [[], { kind: 'nothing' }],
  [['--no-sandbox', '--user-data-dir=/x'], { kind: 'nothing' }],
  [['/n/a'], { kind: 'folder', path: '/n/a', trusted: false }],
  [['--inspect=0', '/n/a b/ü 🌦'], { kind: 'folder', path: '/n/a b/ü 🌦', trusted: false }],
  [['a'], { kind: 'folder', path: '/home/me/a', trusted: false }],
  [['.'], { kind: 'folder', path: '/home/me', trusted: false }],
  [['../b/'], { kind: 'folder', path: '/home/b', trusted: false }],
  [['/n/a/notebook.toml'], { kind: 'folder', path: '/n/a', trusted: false }],
  [['--trust', '/n/a'], { kind: 'folder', path: '/n/a', trusted: false }],
  [['cellar://open?path=%2Fn'], { kind: 'link', url: 'cellar://open?path=%2Fn' }],
  [['/n/a', 'cellar://open?path=%2Fn'], { kind: 'link', url: 'cellar://open?path=%2Fn' }],
  [[''], { kind: 'nothing' }],
])('[DK-9] the arguments %j request for %j', (args, request) =>
  expect(openRequestOf(args, { cwd: '/home/me', packaged: true })).toEqual(request),
);

it.each([
  [['--trust', '/n/a'], true],
  [['/n/a', '--trust'], true],
  [['/n/a'], false],
])('[DK-24] in a checkout %j trusts the folder: %s', (args, trusted) =>
  expect(openRequestOf(args, { cwd: '/', packaged: false })).toEqual({
    kind: 'folder',
    path: '/n/a',
    trusted,
  }),
);
