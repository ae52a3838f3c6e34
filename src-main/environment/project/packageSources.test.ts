import { parse } from 'smol-toml';
import { expect, it } from 'vitest';
import { fromElsewhere, packageSources } from './packageSources.ts';

function sourcesOf(more: string, lock: string | null = null, dependencies: readonly string[] = ['apple']) {
  const table = parse(
    `[project]\nname = "e"\nversion = "1"\ndependencies = ${JSON.stringify(dependencies)}\n${more}`,
  );
  return packageSources({ table, requirements: dependencies }, lock);
}

const NAMED = (source: string): string => `[tool.uv.sources]\nApple = ${source}\n`;

it.each<readonly [string, string, readonly string[], string, string | null]>([
  ['a plain name', '', ['apple>=1'], 'index', null],
  [
    'an address in the requirement',
    '',
    ['apple @ https://e.example/a.whl'],
    'url',
    'https://e.example/a.whl',
  ],
  ['a file in the requirement', '', ['apple @ file:///tmp/a'], 'path', 'file:///tmp/a'],
  [
    'a repository in the requirement',
    '',
    ['apple @ git+https://e.example/a'],
    'repository',
    'git+https://e.example/a',
  ],
  ['a path', NAMED('{ path = "cells/apple" }'), ['apple'], 'path', 'cells/apple'],
  ['a path that is editable', NAMED('{ path = "../a", editable = true }'), ['apple'], 'path', '../a'],
  ['a repository', NAMED('{ git = "https://e.example/a" }'), ['apple'], 'repository', 'https://e.example/a'],
  ['an address', NAMED('{ url = "https://e.example/a.zip" }'), ['apple'], 'url', 'https://e.example/a.zip'],
  ['the workspace', NAMED('{ workspace = true }'), ['apple'], 'path', 'workspace'],
  ['a list with a path', NAMED('[{ index = "x" }, { path = "a" }]'), ['apple'], 'path', 'a'],
  ['an index that is not defined', NAMED('{ index = "x" }'), ['apple'], 'other_index', 'x'],
])('[SG-25] %s', (_name, more, dependencies, kind, from) => {
  expect(sourcesOf(more, null, dependencies)[0]).toEqual({ requirement: dependencies[0], kind, from });
});

it.each([
  ['an index', '[[tool.uv.index]]\nurl = "https://e.example/simple"\n', 'https://e.example/simple'],
  ['the old setting', '[tool.uv]\nindex-url = "https://e.example/simple"\n', 'https://e.example/simple'],
  ['one more index', '[tool.uv]\nextra-index-url = ["https://e.example"]\n', 'https://e.example'],
  ['a page of links', '[tool.uv.pip]\nfind-links = ["https://e.example"]\n', 'https://e.example'],
  ['members of a workspace', '[tool.uv.workspace]\nmembers = ["cells/*"]\n', 'cells/*'],
])('[SG-25] %s affects every package', (_name, more, from) => {
  expect(sourcesOf(more)).toContainEqual(expect.objectContaining({ requirement: '*', from }));
});

it.each([
  ['an extra', '[project.optional-dependencies]\nx = ["evil @ file:///e"]\n'],
  ['a group', '[dependency-groups]\ndev = ["evil @ file:///e", { include-group = "x" }]\n'],
  ['packages for development', '[tool.uv]\ndev-dependencies = ["evil @ file:///e"]\n'],
  ['an override', '[tool.uv]\noverride-dependencies = ["evil @ file:///e"]\n'],
])('[SG-25] a requirement of %s counts', (_name, more) => {
  expect(fromElsewhere(sourcesOf(more))).toEqual([
    { requirement: 'evil @ file:///e', kind: 'path', from: 'file:///e' },
  ]);
});

it('[SG-25] a project that must be built to list its dependencies counts as a build', () => {
  const table = parse('[project]\nname = "e"\ndynamic = ["dependencies"]\n');
  expect(packageSources({ table, requirements: [] }, null)).toEqual([
    { requirement: '*', kind: 'build', from: 'pyproject.toml (dynamic dependencies)' },
  ]);
});

/** An address of the public index, or of the host of its files. */
const at = (host: 'pypi' | 'files.pythonhosted', path: string): string => `https://${host}.org/${path}`;
const PUBLIC = `{ registry = "${at('pypi', 'simple')}" }`;
const locked = (source: string, wheel = at('files.pythonhosted', 'a.whl')): string =>
  `version = 1\n[[package]]\nname = "e"\nsource = { virtual = "." }\n[[package]]\nname = "pear"\nversion = "1"\nsource = ${source}\nwheels = [{ url = "${wheel}", hash = "sha256:0" }]\n`;

it.each([
  ['the public index', locked(PUBLIC), null],
  ['another index', locked('{ registry = "https://e.example/simple" }'), 'https://e.example/simple'],
  [
    'a wheel of another host under the public index',
    locked(PUBLIC, 'https://e.example/a.whl'),
    'https://e.example/a.whl',
  ],
  ['a repository', locked('{ git = "https://e.example/a#0" }'), 'https://e.example/a#0'],
  ['a folder', locked('{ directory = "cells/a" }'), 'cells/a'],
])('[SG-25] a lock with %s', (_name, lock, from) => {
  const sources = fromElsewhere(sourcesOf('', lock));
  expect(sources.map((source) => source.from)).toEqual(from === null ? [] : [from]);
});
