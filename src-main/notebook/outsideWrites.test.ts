/**
 * Another program changes the files of a notebook while edits are saved, before, between or after the steps of a write,
 * as a random scheduler decides: no line or edit is lost.
 */

import { renameSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type CellId, cellId } from '../../src-shared/notebook/ids.ts';
import type { DeletedCell } from './edits/restoreDeletedCell.ts';
import { notebookFolder } from './folder/notebookFolder.ts';
import { openNotebookFiles } from './notebookFiles.ts';

const A = cellId('a');
const B = cellId('b');
const toml = (extra: string) =>
  `notebook_id = "nb"\nname = "N"\n${extra}\n[[cells]]\nid = "a"\nfile = "cells/a.py"\norder = 0.0\n\n[[cells]]\nid = "b"\nfile = "cells/b.py"\norder = 1.0\n`;

const START = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight'];

async function withNotebook(work: (dir: string) => Promise<void>): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'svc-outside-'));
  try {
    await mkdir(join(dir, 'cells'));
    writeFileSync(join(dir, 'notebook.toml'), toml(''));
    for (const id of ['a', 'b']) writeFileSync(join(dir, `cells/${id}.py`), START.join('\n'));
    await work(dir);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

/** Writes the file in place, or renames another file over it: editors do both. */
function writeOutside(path: string, text: string, byRename: boolean): void {
  const target = byRename ? `${path}.theirs` : path;
  writeFileSync(target, text);
  if (byRename) renameSync(target, path);
}

const wait = async (turns: number): Promise<void> => {
  for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

const outsideSteps = fc.array(
  fc.record({ after: fc.nat(40), line: fc.nat(9), change: fc.boolean(), byRename: fc.boolean() }),
  { minLength: 1, maxLength: 5 },
);
const ourSteps = fc.array(fc.record({ line: fc.nat(9), change: fc.boolean(), insist: fc.boolean() }), {
  minLength: 1,
  maxLength: 5,
});
const runs = { numRuns: process.env['LONG'] === '1' ? 400 : 25 };

/** Changes or adds one line of a text, marked with the name of `side`; returns the lines removed by it. */
function edited(lines: readonly string[], at: number, { mark, change }: { mark: string; change: boolean }) {
  const place = Math.min(at, Math.max(0, lines.length - 1));
  const removed = change ? lines.slice(place, place + 1) : [];
  return { lines: lines.toSpliced(place, removed.length, mark), gone: removed };
}

test('[NF-52] external writes and edits in any order lose no line that was not removed', async () => {
  await fc.assert(
    fc.asyncProperty(outsideSteps, ourSteps, async (theirs, ours) => {
      await withNotebook(async (dir) => {
        const path = join(dir, 'cells/a.py');
        const files = await openNotebookFiles(notebookFolder(dir));
        const { readFileSync } = await import('node:fs');
        const written = new Set(START);
        const removed = new Set<string>();
        const outside = (async () => {
          for (const [n, step] of theirs.entries()) {
            await wait(step.after);
            const now = readFileSync(path, 'utf8').split('\n');
            const next = edited(now, step.line, { mark: `theirs ${n}`, change: step.change });
            for (const line of next.gone) removed.add(line);
            written.add(`theirs ${n}`);
            writeOutside(path, next.lines.join('\n'), step.byRename);
          }
        })();
        for (const [n, step] of ours.entries()) {
          const source = files.sources().get(A)?.source ?? '';
          const next = edited(source.split('\n'), step.line, { mark: `mine ${n}`, change: step.change });
          const mine = next.lines.join('\n');
          const write = await files.writeSource(A, mine, { author: null, force: false });
          if (write.kind !== 'conflict') {
            for (const line of next.gone) removed.add(line);
            written.add(`mine ${n}`);
            continue;
          }
          // The user sees both texts, and overwrites the one on disk or cancels.
          if (step.insist) {
            const again = await files.writeSource(A, mine, { author: null, force: true });
            if (again.kind === 'conflict') continue;
            written.add(`mine ${n}`);
            const lines = new Set(mine.split('\n'));
            for (const line of [...write.diskSource.split('\n'), ...source.split('\n')]) {
              if (!lines.has(line)) removed.add(line);
            }
          }
          await files.follow(null);
        }
        await outside;
        const remaining = new Set((await readFile(path, 'utf8')).split('\n'));
        const lost = [...written].filter((line) => !remaining.has(line) && !removed.has(line));
        expect(lost).toEqual([]);
        await files.close();
      });
    }),
    runs,
  );
});

test('[NF-52] external changes of notebook.toml and structural edits in any order are all in it', async () => {
  await fc.assert(
    fc.asyncProperty(outsideSteps, fc.nat(4), async (theirs, edits) => {
      await withNotebook(async (dir) => {
        const path = join(dir, 'notebook.toml');
        const files = await openNotebookFiles(notebookFolder(dir));
        const { readFileSync } = await import('node:fs');
        const outside = (async () => {
          for (const [n, step] of theirs.entries()) {
            await wait(step.after);
            writeOutside(path, `theirs_${n} = ${n}\n${readFileSync(path, 'utf8')}`, step.byRename);
          }
        })();
        const added: CellId[] = [];
        for (let n = 0; n <= edits; n += 1) {
          added.push((await files.addCell({ afterId: A, language: 'python', author: `p${n}` })).id);
          await files.writeSource(B, START.concat(`mine ${n}`).join('\n'), { author: `p${n}`, force: false });
        }
        await files.rename('Mine');
        await outside;
        await files.follow(null);
        const text = await readFile(path, 'utf8');
        for (const n of theirs.keys()) expect(text).toContain(`theirs_${n} = ${n}\n`);
        expect(files.file().name).toBe('Mine');
        expect(files.file().cells.map(({ id }) => id)).toEqual([A, ...added.reverse(), B]);
        expect(files.file().cells.at(-1)?.updatedBy).toBe(`p${edits}`);
        await files.close();
      });
    }),
    runs,
  );
});

test('[NF-52] a cell that is deleted during an external write is recorded with its last text, or its file remains', async () => {
  await fc.assert(
    fc.asyncProperty(outsideSteps, async (theirs) => {
      await withNotebook(async (dir) => {
        const path = join(dir, 'cells/a.py');
        const files = await openNotebookFiles(notebookFolder(dir));
        let last = START.join('\n');
        const outside = (async () => {
          const { existsSync } = await import('node:fs');
          for (const [n, step] of theirs.entries()) {
            await wait(step.after);
            // A program that has the file open writes only while it exists.
            if (!existsSync(path)) return;
            last = `theirs ${n}`;
            writeOutside(path, last, step.byRename);
          }
        })();
        let deleted: DeletedCell | null = null;
        await files.deleteCell(A, {
          keep: async (cell) => {
            await wait(3);
            deleted = cell;
          },
        });
        await outside;
        const text = await readFile(path, 'utf8').catch(() => null);
        const texts = [text, (deleted as DeletedCell | null)?.source?.toString()];
        expect(texts).toContain(last);
        await files.close();
      });
    }),
    runs,
  );
});
