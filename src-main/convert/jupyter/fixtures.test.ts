/**
 * The Jupyter import, run on at least 60 realistic files of testing/fixtures.ts, and on files in other
 * encodings or damaged.
 */

import { beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '../../../src-shared/wire/errors.ts';
import { createAnalyzer } from '../../language/analyzeCell.ts';
import type { CellAnalyzer } from '../../language/cellAnalysis.ts';
import { cellFindings } from './cellFindings.ts';
import { convertJupyter } from './convertJupyter.ts';
import { importReport } from './importReport.ts';
import { decodeJupyter, readJupyter } from './readJupyter.ts';
import { FIXTURES } from './testing/fixtures.ts';
import { file } from './testing/jupyterFiles.ts';

let analyzer: CellAnalyzer;
beforeAll(async () => {
  analyzer = await createAnalyzer();
});

function imported(text: string) {
  const read = convertJupyter(text);
  return { ...read, findings: [...read.findings, ...cellFindings(read, analyzer)] };
}

describe('[TR-60] [TR-61] [TR-62] [TR-63] [TR-64] [TR-65] [TR-66] realistic files', () => {
  it('there are at least sixty', () => expect(FIXTURES.length).toBeGreaterThanOrEqual(60));

  it.each(FIXTURES)('$name', ({ given, more, cells, says = [], silent, shows }) => {
    const result = imported(typeof given === 'string' ? given : file(given, more));
    const places = new Map(result.cells.map(({ id }, at) => [id, at + 1]));
    const findings = result.findings.map(({ cellId, kind, text }) => ({
      cell: cellId === null ? 0 : places.get(cellId),
      kind,
      text,
    }));
    if (cells !== undefined) expect(result.cells.map(({ source }) => source)).toEqual(cells);
    for (const [cell, kind, words] of says)
      expect(findings).toContainEqual({ cell, kind, text: expect.stringMatching(words) });
    if (silent !== undefined) expect(findings.filter(({ kind }) => kind === silent)).toEqual([]);
    if (shows !== undefined)
      expect(Object.fromEntries([...result.outputs].map(([id, one]) => [places.get(id), one]))).toEqual(
        shows,
      );
  });
});

it('[TR-67] the report links each finding to the file of its cell', () => {
  const result = imported(file(['x = 1', '! ls\nprint(_)']));
  const report = importReport(result, { name: 'n', path: null, more: [] });
  const id = result.cells[1]?.id ?? '';
  expect(report.report_text).toContain(`- [cell 2](cells/${id}.py): !ls`);
  expect(report.findings.map(({ cell_id }) => cell_id)).toEqual([id, id]);
});

describe('[TR-68] the bytes of a file', () => {
  const content = file(["a = 'é'"]);
  const utf16 = Buffer.from(`\ufeff${content}`, 'utf16le');
  const read: readonly (readonly [name: string, bytes: Buffer])[] = [
    ['UTF-8', Buffer.from(content)],
    ['UTF-8 with a mark', Buffer.from(`\ufeff${content}`)],
    ['UTF-16', utf16],
    ['UTF-16, in the other byte order', Buffer.from(utf16).swap16()],
  ];
  it.each(read)('%s is read', (_name, bytes) => {
    expect(convertJupyter(decodeJupyter(bytes)).cells[0]?.source).toBe("a = 'é'");
  });

  const refused: readonly (readonly [name: string, bytes: Buffer, words: RegExp])[] = [
    ['Latin-1', Buffer.from(content, 'latin1'), /not UTF-8.*Latin-1/],
    ['Windows-1252', Buffer.from([0x22, 0x93, 0x94, 0x22]), /not UTF-8.*Windows-1252/],
    ['truncated UTF-16', utf16.subarray(0, -1), /UTF-16LE but is damaged/],
    ['a pointer', Buffer.from('version https://git-lfs.github.com/spec/v1\n'), /Git LFS/],
    ['a conflict', Buffer.from(`<<<<<<< HEAD\n${content}\n=======\n`), /conflict/],
    ['a page', Buffer.from('<!DOCTYPE html><html>'), /web page/],
  ];
  it.each(refused)('%s is refused and named', (_name, bytes, words) => {
    const reading = () => readJupyter(decodeJupyter(bytes));
    expect(reading).toThrow(AppError);
    expect(reading).toThrow(words);
  });
});
