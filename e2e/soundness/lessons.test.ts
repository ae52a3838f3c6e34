/**
 * Imports recorded Jupyter notebooks and runs them on the built server: each cell shows the same as in a kernel
 * (src-main/convert/jupyter/testing/lessons.ts), or a finding, a warning or an error gives the reason.
 */

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { cellFindings } from '../../src-main/convert/jupyter/cellFindings.ts';
import { convertJupyter } from '../../src-main/convert/jupyter/convertJupyter.ts';
import { file } from '../../src-main/convert/jupyter/testing/jupyterFiles.ts';
import { type KernelResult, LESSONS, type Lesson } from '../../src-main/convert/jupyter/testing/lessons.ts';
import { createAnalyzer } from '../../src-main/language/analyzeCell.ts';
import type { CellAnalyzer } from '../../src-main/language/cellAnalysis.ts';
import type { Cell } from '../../src-shared/wire/cell.ts';
import { plainServer } from '../support/plainServer.ts';
import type { ServerProcess } from '../support/serverProcess.ts';
import { makeSlot, type Slot } from './play/slot.ts';

let root = '';
let server: ServerProcess;
let slot: Slot;
let analyzer: CellAnalyzer;
beforeAll(async () => {
  ({ root, server } = await plainServer('cellar-lessons-'));
  slot = await makeSlot(() => server.url, join(root, 'slot'));
  analyzer = await createAnalyzer();
});
afterAll(async () => {
  await server.dispose();
  await rm(root, { recursive: true, force: true });
});

interface Difference {
  readonly cell: number;
  readonly kernel: KernelResult;
  readonly cellar: KernelResult;
}

async function play({ cells: given }: Lesson) {
  const made = convertJupyter(file(given.map(([source]) => source)));
  expect(made.cells.length, 'cells after the import').toBe(given.length);
  const findings = [...made.findings, ...cellFindings(made, analyzer)];
  const session = await slot.begin({ cells: made.cells.map(({ source }) => source) });
  try {
    for (const index of given.keys()) await session.execute(index);
    const { cells, messages } = await session.shown();
    const differences = given.flatMap(([, kernel = {}], index): readonly Difference[] => {
      const cell = cells[index];
      if (cell === undefined) throw new Error(`cell ${index + 1} is missing`);
      const cellar = resultOf(cell);
      return agree(kernel, cellar) ? [] : [{ cell: index + 1, kernel, cellar }];
    });
    const reasons = [...findings.map(({ text }) => text), ...[...messages.values()].flat()];
    return { differences, reasons };
  } finally {
    await session.close();
  }
}

function resultOf(cell: Cell): KernelResult {
  const shown = cell.display_outputs.find(({ content_type }) => !content_type.startsWith('image/'));
  // `text` is the repr of a value that only Python reads; an array has its shape in the first line.
  const value = shown?.text ?? shown?.preview;
  const text = typeof value === 'string' ? value.replace(/^ndarray .*\n/, '') : JSON.stringify(value);
  return {
    ...(cell.console_stdout === '' ? {} : { stdout: cell.console_stdout }),
    ...(shown === undefined ? {} : { value: text }),
    ...(cell.error === null ? {} : { error: cell.error }),
  };
}

/** Values are compared without quotes and spaces, because the window shows data as JSON and a kernel as `repr`. */
function agree(kernel: KernelResult, cellar: KernelResult): boolean {
  const plain = (text = '') =>
    text
      .replaceAll(/["'\s]/g, '')
      .replaceAll('True', 'true')
      .replaceAll('False', 'false')
      .replaceAll('None', 'null');
  return (
    (kernel.stdout ?? '') === (cellar.stdout ?? '') &&
    plain(kernel.value) === plain(cellar.value) &&
    (kernel.error === undefined) === (cellar.error === undefined) &&
    (cellar.error ?? '').includes(kernel.error ?? '')
  );
}

// A normal run uses every fifth lesson.
const PLAYED = LESSONS.filter((_, index) => process.env['LONG'] === '1' || index % 5 === 0);

it.each(PLAYED)('[TR-84] cells of a lesson show the same as in a kernel: $name', async (lesson) => {
  const { differences, reasons } = await play(lesson);
  if (process.env['SOUNDNESS_LIST'] === '1') console.log(lesson.name, JSON.stringify(differences), reasons);
  if (reasons.length === 0) expect(differences).toEqual([]);
});
