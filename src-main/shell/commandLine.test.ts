import { expect, it } from 'vitest';
import { wishOf } from './commandLine.ts';

it.each([
  [[], { kind: 'nothing' }],
  [['--no-sandbox', '--user-data-dir=/x'], { kind: 'nothing' }],
  [['/n/a'], { kind: 'folder', path: '/n/a' }],
  [['--inspect=0', '/n/a b/ü 🌦'], { kind: 'folder', path: '/n/a b/ü 🌦' }],
  [['a'], { kind: 'folder', path: '/home/me/a' }],
  [['.'], { kind: 'folder', path: '/home/me' }],
  [['../b/'], { kind: 'folder', path: '/home/b' }],
  [['/n/a/notebook.toml'], { kind: 'folder', path: '/n/a' }],
  [['cellar://open?path=%2Fn'], { kind: 'link', url: 'cellar://open?path=%2Fn' }],
  [['/n/a', 'cellar://open?path=%2Fn'], { kind: 'link', url: 'cellar://open?path=%2Fn' }],
  [[''], { kind: 'nothing' }],
])('[DK-9] the arguments %j wish for %j', (args, wish) => expect(wishOf(args, '/home/me')).toEqual(wish));
