/** The commands that read cells: `svc cell list`, `show` and `output`. */

import { resolve } from 'node:path';
import type { Cell } from '../../../src-shared/wire/cell.ts';
import {
  cellNameOf,
  cellViewOf,
  variableMaker,
  variableViewOf,
} from '../../../src-shared/wire/toCellView.ts';
import { UsageError } from '../arguments.ts';
import { CallError } from '../place/restCaller.ts';
import type { Target } from '../place/target.ts';
import {
  type CommandResult,
  noArgument,
  onlyArgument,
  targetCommand,
  textOption,
} from '../place/targetCommand.ts';
import { writeOut } from '../writeOut.ts';

const NO_ENVIRONMENT = { needsEnvironment: () => false };

/** All cells of a notebook, in its order. @throws CallError */
export async function cellsOf(target: Target): Promise<readonly Cell[]> {
  return (await target.call('listCells', { params: { sid: target.sid } })).cells;
}

/** One cell of a notebook. @throws CallError if no cell has that id */
export async function cellOf(target: Target, id: string): Promise<Cell> {
  const match = (await cellsOf(target)).find((cell) => cell.id === id);
  if (match === undefined) throw new CallError('Cell not found', 404);
  return match;
}

/** `svc cell list TGT`: every cell, in the notebook's order. */
export const cellList = targetCommand({
  ...NO_ENVIRONMENT,
  options: {},
  prepare: noArgument,
  async run(target) {
    const cells = await cellsOf(target);
    return { answer: cells.map(cellViewOf), human: listText(cells) };
  },
});

/** `svc cell show TGT [ID | --var NAME]`: one cell, all cells, or the cell that defines a variable. */
export const cellShow = targetCommand({
  ...NO_ENVIRONMENT,
  usage: '[ID]',
  options: { var: { type: 'string', takes: 'NAME', says: 'Show the cell that defines this variable.' } },
  prepare({ rest, values }) {
    const name = textOption(values['var']);
    if (rest.length + (name === undefined ? 0 : 1) > 1) throw new UsageError('give one cell, or one --var');
    return { id: rest[0] ?? null, name: name ?? null };
  },
  async run(target, { id, name }) {
    if (name !== null) return variableEnd(await cellsOf(target), name);
    if (id === null) {
      const cells = await cellsOf(target);
      return { answer: cells.map(cellViewOf), human: cells.map(cellText).join('\n\n') };
    }
    const cell = await cellOf(target, id);
    return { answer: cellViewOf(cell), human: cellText(cell) };
  },
});

/** `svc cell output TGT ID --out F [--index N]`: writes a display output of a cell to a file. */
export const cellOutput = targetCommand({
  ...NO_ENVIRONMENT,
  usage: 'ID',
  options: {
    out: { type: 'string', takes: 'FILE', says: 'The file to write.' },
    index: {
      type: 'string',
      default: '-1',
      takes: 'N',
      says: 'Index of the output, starting at 0; -1 is the last.',
    },
  },
  prepare(line) {
    const out = textOption(line.values['out']);
    if (out === undefined) throw new UsageError('--out FILE is required');
    const index = Number(textOption(line.values['index']));
    if (!Number.isInteger(index))
      throw new UsageError('--index must be a whole number; -1 is the last output');
    return { id: onlyArgument(line, 'one cell'), out: resolve(out), index };
  },
  async run(target, { id, out, index }) {
    const { display_outputs: outputs } = await cellOf(target, id);
    const params = { sid: target.sid, cell_id: id, index };
    const { headers, body } = await target.open('outputBlob', { params });
    const saved = await writeOut(body, out);
    const resolved = Number(headers['x-svc-output-index'] ?? index);
    const type = outputs.at(resolved)?.content_type ?? null;
    return {
      answer: { cell_id: id, index: resolved, path: out, content_type: type, bytes: saved },
      human: `${out}: ${saved} bytes${type === null ? '' : ` of ${type}`}`,
    };
  },
});

function variableEnd(cells: readonly Cell[], name: string): CommandResult {
  const maker = variableMaker(cells, name);
  const isStored = maker !== null && Object.hasOwn(maker.artifact_uris, name);
  return {
    answer: variableViewOf(cells, name),
    human:
      maker === null
        ? `No cell defines ${name}.`
        : `${name} is defined in ${maker.id} and is ${isStored ? 'stored' : 'not stored yet'}.`,
  };
}

function listText(cells: readonly Cell[]): string {
  const rows = cells.map((cell) => [cell.id, cell.language, cell.status, cellNameOf(cell)]);
  const widths = [0, 1, 2].map((at) => Math.max(0, ...rows.map((row) => (row[at] ?? '').length)));
  return rows
    .map((row) =>
      row
        .map((word, at) => word.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function cellText(cell: Cell): string {
  const head = `${cell.id}  ${cell.language}  ${cell.status}  ${cellNameOf(cell)}`.trimEnd();
  return [head, cell.source, cell.console_stdout.trimEnd(), cell.error ?? '']
    .filter((part) => part !== '')
    .join('\n');
}
