import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type NotebookFolder, notebookFolder } from '../../notebook/folder/notebookFolder.ts';
import { analyzeCell, createAnalyzer } from '../analyzeCell.ts';
import type { CellAnalyzer } from '../cellAnalysis.ts';
import { absoluteName, closureOf, NO_FILES } from './closure.ts';
import { createModuleReader } from './readModules.ts';

let root = '';
let analyzer: CellAnalyzer;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cellar-modules-'));
  analyzer = await createAnalyzer();
});
afterAll(() => rm(root, { recursive: true, force: true }));

type Files = Readonly<Record<string, string>>;

async function write(dir: string, files: Files): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(join(dir, dirname(path)), { recursive: true });
    await writeFile(join(dir, path), text);
  }
}

let folders = 0;
async function folderOf(files: Files): Promise<string> {
  folders += 1;
  const dir = join(root, `folder-${folders}`);
  await mkdir(dir);
  await write(dir, files);
  return dir;
}

const reader = (dir: NotebookFolder) => createModuleReader({ dir, analyze: analyzer.python.analyze });
const namesIn = (source: string) => analyzeCell(analyzer, { language: 'python', source }).moduleNames;

async function filesRunBy(dir: NotebookFolder, source: string): Promise<string[]> {
  const names = namesIn(source);
  const facts = await reader(dir).read(new Set(names));
  return closureOf(facts, names).map(({ path }) => path);
}

const FOLDER: Files = {
  'helpers.py': 'import util\nfrom pkg import tools\nX = 1',
  'util.py': 'import numpy\ndef late():\n    import deep.er.est',
  'lonely.py': 'Y = 1',
  'pkg/__init__.py': 'from . import base',
  'pkg/base.py': 'B = 1',
  'pkg/tools.py': 'from .base import B\nfrom .sub.leaf import L\nfrom .. import nothing',
  'pkg/sub/__init__.py': '',
  'pkg/sub/leaf.py': 'import helpers\nL = 1',
  'deep/er/est.py': 'Z = 1',
  'circle_a.py': 'import circle_b',
  'circle_b.py': 'import circle_a',
  'both.py': 'wrong = 1',
  'both/__init__.py': 'right = 1',
  'data/readings.csv': 'a,b',
  'broken.py': 'def (',
};
const ALL_OF_PKG = [
  'pkg/__init__.py',
  'pkg/base.py',
  'pkg/sub/__init__.py',
  'pkg/sub/leaf.py',
  'pkg/tools.py',
];
const FROM_HELPERS = ['deep/er/est.py', 'helpers.py', ...ALL_OF_PKG, 'util.py'];

/** A cell's source → the files of the folder that it runs. */
const ROWS: readonly (readonly [source: string, files: readonly string[]])[] = [
  ['import numpy, pandas.io\nx = 1', []],
  ['import lonely', ['lonely.py']],
  ['import lonely as l, numpy', ['lonely.py']],
  ['from lonely import Y as y', ['lonely.py']],
  ['from lonely import *', ['lonely.py']],
  ['def f():\n    from lonely import Y\nclass C:\n    import lonely', ['lonely.py']],
  ['try:\n    import lonely\nexcept ImportError:\n    pass', ['lonely.py']],
  ['import importlib\nm = importlib.import_module("lonely")', ['lonely.py']],
  ['m = __import__("lonely")', ['lonely.py']],
  ['m = __import__(name)', []],
  ['import helpers', FROM_HELPERS],
  ['from pkg import base', ['pkg/__init__.py', 'pkg/base.py']],
  ['import pkg.base', ['pkg/__init__.py', 'pkg/base.py']],
  ['import pkg.sub', ['pkg/__init__.py', 'pkg/base.py', 'pkg/sub/__init__.py']],
  ['from pkg import B', ['pkg/__init__.py', 'pkg/base.py']],
  ['import deep.er.est', ['deep/er/est.py']],
  ['from deep.er import est', ['deep/er/est.py']],
  ['import deep', []],
  ['import circle_a', ['circle_a.py', 'circle_b.py']],
  ['import both', ['both/__init__.py']],
  ['import data', []],
  ['import broken', ['broken.py']],
  ['from . import lonely', []],
  ['import lonely.nothing', ['lonely.py']],
  ['from __future__ import annotations', []],
  ['"import lonely"  # import lonely', []],
];

describe('[PV-27] the modules a cell runs', () => {
  let dir = notebookFolder('');
  beforeAll(async () => {
    dir = notebookFolder(await folderOf(FOLDER));
  });
  it.each(ROWS)('%j', async (source, files) => {
    expect(await filesRunBy(dir, source)).toEqual(files);
  });

  it.each([
    ['m.py', 'a.b', 'a.b'],
    ['pkg/m.py', '.x', 'pkg.x'],
    ['pkg/__init__.py', '.', 'pkg'],
    ['pkg/sub/m.py', '..x.y', 'pkg.x.y'],
    ['pkg/m.py', '..x', null],
    ['m.py', '.x', null],
  ])('in %s, %s is %s', (path, name, absolute) => {
    expect(absoluteName(path, name)).toBe(absolute);
  });
});

describe('[PV-23] reading the folder again', () => {
  it('returns the same value until a file or folder is written, added or removed', async () => {
    const dir = notebookFolder(await folderOf({ 'a.py': 'X = 1' }));
    const modules = reader(dir);
    const names = new Set(['a', 'b']);
    const first = await modules.read(names);
    expect(await modules.read(names)).toBe(first);
    await write(dir, { 'a.py': 'X = 2' });
    const second = await modules.read(names);
    expect(second).not.toBe(first);
    await write(dir, { 'a.py': 'X =  2  # another comment' });
    expect(await modules.read(names)).toBe(second);
    await write(dir, { 'b/__init__.py': 'import c', 'c.py': '' });
    const third = await modules.read(names);
    expect([...third.files.keys()].sort()).toEqual(['a.py', 'b/__init__.py', 'c.py']);
    await rm(join(dir, 'a.py'));
    await rm(join(dir, 'b'), { recursive: true });
    expect((await modules.read(names)).files.size).toBe(0);
    expect(closureOf(await modules.read(names), ['a'])).toBe(NO_FILES);
  });

  it('distinguishes files that are not UTF-8', async () => {
    const dir = notebookFolder(await folderOf({}));
    const modules = reader(dir);
    const digests: (string | undefined)[] = [];
    for (const byte of [0xe9, 0xe8]) {
      await writeFile(
        join(dir, 'a.py'),
        Buffer.from([...Buffer.from('# coding: latin-1\nX = "'), byte, 0x22]),
      );
      digests.push((await modules.read(new Set(['a']))).files.get('a.py')?.digest);
    }
    expect(new Set(digests).size).toBe(2);
  });

  it('identifies a file far larger than any module by size and time, without reading it', async () => {
    const dir = notebookFolder(await folderOf({ 'a.py': `import b\n#${'x'.repeat(9 << 20)}`, 'b.py': '' }));
    const modules = reader(dir);
    const first = await modules.read(new Set(['a']));
    expect([...first.files.keys()]).toEqual(['a.py']);
    await write(dir, { 'a.py': `import b\n#${'y'.repeat(10 << 20)}` });
    expect((await modules.read(new Set(['a']))).files.get('a.py')?.digest).not.toBe(
      first.files.get('a.py')?.digest,
    );
  });

  it('equals the result of a new reader, after any writes', async () => {
    const path = fc.constantFrom('a.py', 'b.py', 'p/__init__.py', 'p/a.py', 'a/__init__.py');
    const text = fc.constantFrom(
      '',
      'X = 1',
      'X = 2',
      'import b',
      'from . import a',
      'from p import a',
      'import p.a',
    );
    const operation = fc.tuple(path, fc.option(text));
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { maxLength: 12 }), async (writes) => {
        const dir = notebookFolder(await folderOf({}));
        const modules = reader(dir);
        const names = new Set(['a', 'b', 'p.a']);
        for (const [file, content] of writes) {
          if (content === null) await rm(join(dir, file), { force: true });
          else await write(dir, { [file]: content });
          const incremental = await modules.read(names);
          const fresh = await reader(notebookFolder(dir)).read(names);
          expect([...incremental.files].sort()).toEqual([...fresh.files].sort());
        }
      }),
      { numRuns: 30 },
    );
  });
});
