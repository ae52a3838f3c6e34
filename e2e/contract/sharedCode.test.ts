/**
 * Tests functions and classes that cells share on a real server: keys, exports, blocked names, instances and
 * tracebacks.
 */

import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { type OpenNotebook, openNotebook } from '../support/openNotebook.ts';
import { plainServer } from '../support/plainServer.ts';
import type { ServerProcess } from '../support/serverProcess.ts';

let root = '';
let server: ServerProcess;
beforeAll(async () => {
  ({ root, server } = await plainServer('cellar-shared-'));
});
afterAll(async () => {
  await server.dispose();
  await rm(root, { recursive: true, force: true });
});

const storedRow = z.object({
  content_type: z.string(),
  content_sha256: z.string(),
  provenance_hash: z.string(),
});
const blob = z.object({
  module_name: z.string(),
  symbol_name: z.string(),
  kind: z.string(),
  source: z.string(),
  provenance_hash: z.string(),
  injected: z.record(z.string(), z.string()),
});

/** The stored artifact's row and the text of its blob. */
async function stored(open: OpenNotebook, uri: string) {
  const [id, version] = uri.replace('svc://artifact/', '').split(/@v=(?=\d+$)/);
  const dir = join(open.path, '.svc/artifacts');
  const database = new DatabaseSync(join(dir, 'artifacts.sqlite'), { readOnly: true });
  try {
    const row = storedRow.parse(
      database
        .prepare(
          'SELECT content_type, content_sha256, provenance_hash FROM artifact_versions WHERE id = ? AND version = ?',
        )
        .get(id ?? '', Number(version)),
    );
    return { row, text: await readFile(join(dir, 'blobs', row.content_sha256), 'utf8') };
  } finally {
    database.close();
  }
}

/** Worked example 4 of the semantics, line by line. */
const M1 = [
  'import math',
  'K = 2',
  "base = len('abc')",
  'def area(r): return math.pi * r * factor * base',
  'class P:',
  '    def __init__(self, x): self.x = x',
  '',
].join('\n');

const previewOf = async (open: OpenNotebook, id: string) => (await open.cell(id)).display_output?.preview;

describe('shared code', () => {
  it('[PV-30] worked example 4: a slice with its values pinned', async () => {
    const open = await openNotebook(server, join(root, 'worked'), [
      { id: 'm0', source: 'factor = 3\n' },
      { id: 'm1', source: M1 },
      { id: 'm2', source: 'p = P(4)\na = area(1)\n[round(a, 3), p.x]\n' },
    ]);
    const result = await open.execute('m2');
    expect(result.error).toBe(null);
    expect(await previewOf(open, 'm2')).toEqual([28.274, 4]);
    const m1 = await open.cell('m1');
    expect({ defines: m1.defines, references: m1.references }).toEqual({
      defines: ['K', 'P', 'area', 'base', 'math'],
      references: ['factor'],
    });
    expect([m1.is_module_cell, m1.module_exports]).toEqual([false, undefined]);
    const { row, text } = await stored(open, m1.artifact_uris['area'] ?? '');
    expect(row.content_type).toBe('module/cell');
    const parsed = blob.parse(JSON.parse(text));
    const prefix = `svc://artifact/nb_${open.opened.id}_cell_`;
    expect(parsed.injected).toEqual({
      base: `${prefix}m1_var_base@v=1`,
      factor: `${prefix}m0_var_factor@v=1`,
    });
    expect([parsed.symbol_name, parsed.kind]).toEqual(['area', 'function']);
    expect(parsed.module_name).toMatch(new RegExp(`^nb_${open.opened.id}_m1_area_[0-9a-f]{12}_[0-9a-f]{8}$`));
    expect(parsed.provenance_hash).toMatch(/^[0-9a-f]{64}$/);
    expect(parsed.source).toContain('import math\nK = 2\n');
    expect(parsed.source).not.toContain('len(');
    const p = blob.parse(JSON.parse((await stored(open, m1.artifact_uris['P'] ?? '')).text));
    expect([p.kind, p.injected]).toEqual(['class', {}]);
    // A value that the code needs is stored, though no cell reads it by name.
    expect(JSON.parse((await stored(open, `${prefix}m1_var_base@v=1`)).text)).toBe(3);
  });

  it('[GR-32] a module cell lists its exports; a cell that needs values from above is no module cell', async () => {
    const open = await openNotebook(server, join(root, 'module'), [
      { id: 'm0', source: 'K = 2\ndef f(x): return x * K\n' },
      { id: 'm1', source: 'f(21)\n' },
    ]);
    const m0 = await open.cell('m0');
    expect([m0.is_module_cell, m0.module_exports]).toEqual([
      true,
      [
        { name: 'K', kind: 'constant' },
        { name: 'f', kind: 'function' },
      ],
    ]);
    await open.execute('m1');
    expect(await previewOf(open, 'm1')).toBe(42);
  });

  it('[EX-42] a lambda that is read below is reported as blocked before a run, and fails the run', async () => {
    const open = await openNotebook(server, join(root, 'lambda'), [
      { id: 'm0', source: "f = lambda q: q\ng = 1\nprint('ran')\n" },
      { id: 'm1', source: 'f(1)\n' },
    ]);
    const m0 = await open.cell('m0');
    expect(m0.annotation_diagnostics.map(({ code, severity, line }) => [code, severity, line])).toEqual([
      ['module_export_blocked', 'warn', null],
    ]);
    const result = await open.execute('m0');
    expect(result.error).toContain('`f` cannot be shared with other cells. It is a lambda');
    expect(result.stdout).toBe('ran\n');
    expect((await open.cell('m0')).status).toBe('error');
    await open.edit('m0', 'def f(q): return q\n');
    expect((await open.cell('m0')).annotation_diagnostics).toEqual([]);
    expect((await open.execute('m1')).error).toBe(null);
    // A lambda that no cell reads is allowed like any other value.
    await open.edit('m0', 'f = lambda q: q\n');
    await open.edit('m1', '1\n');
    expect((await open.cell('m0')).annotation_diagnostics).toEqual([]);
    expect((await open.execute('m0')).error).toBe(null);
  });

  it('[EX-42] every blocked name is listed with its reason', async () => {
    const open = await openNotebook(server, join(root, 'several'), [
      { id: 'm0', source: 'f = lambda q: q\ndef g(): return later\ndef h(): return 1\nh.x = 2\n' },
      { id: 'm1', source: 'f, g, h\n' },
    ]);
    const { error } = await open.execute('m0');
    expect(error?.split('\n')[0]).toBe('`f`, `g` and `h` cannot be shared with other cells.');
    expect(
      error
        ?.split('\n')
        .slice(1)
        .map((line) => line.split(':')[0]),
    ).toEqual(['f', 'g', 'h']);
  });

  it('[PV-31] readers of code have it in their key, and stay fresh if it is unchanged', async () => {
    const open = await openNotebook(server, join(root, 'keys'), [
      { id: 'm0', source: 'factor = 3\n' },
      { id: 'm1', source: 'noise = int(1)\ndef times(n): return n * factor\ndef plain(n): return n\n' },
      { id: 'm2', source: 'times(2)\n' },
      { id: 'm3', source: 'plain(2)\n' },
    ]);
    const statuses = async () =>
      Promise.all(['m1', 'm2', 'm3'].map(async (id) => (await open.cell(id)).status));
    await open.execute('m2');
    await open.execute('m3');
    expect(await statuses()).toEqual(['ready', 'ready', 'ready']);
    // Other code of the cell, but the same value: the code that the readers use is unchanged.
    await open.edit('m1', 'noise = int(2)\ndef times(n): return n * factor\ndef plain(n): return n\n');
    expect(await statuses()).toEqual(['idle', 'stale', 'stale']);
    await open.execute('m1');
    expect(await statuses()).toEqual(['ready', 'ready', 'ready']);
    await open.edit('m0', 'factor = 1 + 2\n');
    await open.execute('m1');
    expect(await statuses()).toEqual(['ready', 'ready', 'ready']);
    expect((await open.execute('m2')).cache_hit).toBe(true);
    // Another value: only readers whose code needs it are affected.
    await open.edit('m0', 'factor = 4\n');
    await open.execute('m1');
    expect(await statuses()).toEqual(['ready', 'stale', 'ready']);
    expect((await open.execute('m2')).cache_hit).toBe(false);
    expect(await previewOf(open, 'm2')).toBe(8);
    // The first text again: everything is a hit, including the values that the code needs.
    await open.edit('m0', 'factor = 3\n');
    expect((await open.execute('m1')).cache_hit).toBe(true);
    expect((await open.execute('m2')).cache_hit).toBe(true);
    expect(await previewOf(open, 'm2')).toBe(6);
    // Another definition.
    await open.edit('m1', 'noise = int(2)\ndef times(n): return n * factor * 2\ndef plain(n): return n\n');
    await open.execute('m1');
    expect(await statuses()).toEqual(['ready', 'stale', 'stale']);
    await open.execute('m2');
    expect(await previewOf(open, 'm2')).toBe(12);
  });

  it('[EX-40] instances match their classes across cells, runs and restarts', async () => {
    const cells = [
      { id: 'm0', source: 'class Base:\n    def who(self): return type(self).__name__\n' },
      {
        id: 'm1',
        source: 'unit = int("3")\nclass Child(Base):\n    def size(self): return unit\nc = Child()\n',
      },
      { id: 'm2', source: 'many = [c, Child(), Base()]\none = c\n' },
      {
        id: 'm3',
        source:
          'from collections import Counter\n[isinstance(one, Child), [isinstance(x, Base) for x in many], one.size(), dict(Counter(x.who() for x in many))]\n',
      },
    ];
    const open = await openNotebook(server, join(root, 'classes'), cells);
    expect((await open.execute('m3')).error).toBe(null);
    const expected = [true, [true, true, true], 3, { Child: 2, Base: 1 }];
    expect(await previewOf(open, 'm3')).toEqual(expected);
    await open.close();
    const again = await openNotebook(server, open.path);
    expect((await again.cell('m3')).status).toBe('ready');
    await again.edit('m3', `${cells[3]?.source ?? ''}\n`.replace('[isinstance', 'x = 1\n[isinstance'));
    const rerun = await again.execute('m3');
    expect([rerun.error, rerun.cache_hit]).toEqual([null, false]);
    expect(await previewOf(again, 'm3')).toEqual(expected);
    // Six newer versions supersede the one that the values come from.
    for (let i = 0; i < 6; i += 1) await again.execute('m1', 'rerun');
    const late = await again.execute('m3', 'rerun');
    expect(late.error).toBe(null);
  });

  it('[EX-41] a traceback names the cell and line of the code', async () => {
    const open = await openNotebook(server, join(root, 'trace'), [
      { id: 'm0', source: '# @name maker\nprint(1)\n\ndef broken(n):\n    return n / 0\n' },
      { id: 'm1', source: '# @name user\nbroken(1)\n' },
    ]);
    await open.execute('m1');
    const { error } = await open.cell('m1');
    expect(error).toContain('File "<cell user>", line 2, in <module>\n    broken(1)');
    expect(error).toContain('File "<cell maker>", line 5, in broken\n    return n / 0');
  });
});
