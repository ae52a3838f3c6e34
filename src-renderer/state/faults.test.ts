import { describe, expect, it } from 'vitest';
import type { Diagnostic } from '../../src-shared/wire/cell.ts';
import { sampleCell } from '../../src-shared/wire/testing/sampleNotebook.ts';
import { faultsOf, fixAt, nextFault, spanOf } from './faults.ts';
import { cellModelOf, emptyNotebook } from './notebookModel.ts';

const fault = (
  severity: Diagnostic['severity'],
  line: number | null,
  code = 'env_malformed',
): Diagnostic => ({
  severity,
  code,
  message: 'words',
  line,
});

const cellOf = (id: string, faults: readonly Diagnostic[]) => ({
  ...sampleCell({ id }),
  annotation_diagnostics: [...faults],
});

function modelOf(cells: Readonly<Record<string, readonly Diagnostic[]>>) {
  return {
    ...emptyNotebook,
    order: Object.keys(cells),
    cells: Object.fromEntries(
      Object.entries(cells).map(([id, faults]) => [id, cellModelOf(cellOf(id, faults), undefined)]),
    ),
  };
}

describe('[ED-40] faults', () => {
  it('are sorted by severity, then by line', () => {
    const all = [fault('info', 1), fault('warn', 4), fault('error', 9), fault('warn', 2)];
    expect(faultsOf(cellOf('a', all)).map(({ severity, line }) => `${severity} ${line}`)).toEqual([
      'error 9',
      'warn 2',
      'warn 4',
      'info 1',
    ]);
  });

  it.each([
    ['x = open("a.csv")', 'a.csv', 11, 16],
    ['  # @env foo  ', undefined, 3, 13],
    ['', undefined, 1, 2],
    ['# @x', 'gone', 1, 5],
  ])('on %j about %s are at %i to %i', (text, subject, start, end) => {
    expect(spanOf(text, subject === undefined ? {} : { subject })).toEqual({ start, end });
  });

  it('the quick fix is for the fault at the cursor, else the most severe fixable one', () => {
    const cell = cellOf('a', [
      fault('error', 1, 'sql_connection_missing'),
      fault('warn', 1),
      fault('warn', 2),
    ]);
    expect(fixAt(cell, '# @env a\n# @env b\nx', 2)?.source).toBe('# @env a\nx');
    expect(fixAt(cell, '# @env a\n# @env b\nx', 3)?.source).toBe('# @env b\nx');
    expect(fixAt(cell, '# @env a\n# @env b\nx', null)?.source).toBe('# @env b\nx');
    expect(fixAt(cellOf('a', []), 'x', null)).toBeNull();
  });

  it('next and previous go through them in order and wrap around', () => {
    const model = modelOf({
      a: [],
      b: [fault('warn', 3), fault('warn', 1)],
      c: [],
      d: [fault('error', null)],
    });
    const walk = (cellId: string | null, line: number | null, by: 1 | -1) =>
      nextFault(model, { cellId, line }, by);
    expect(walk(null, null, 1)).toEqual({ cellId: 'b', line: 1 });
    expect(walk('b', 1, 1)).toEqual({ cellId: 'b', line: 3 });
    expect(walk('b', 3, 1)).toEqual({ cellId: 'd', line: null });
    expect(walk('c', null, -1)).toEqual({ cellId: 'b', line: 3 });
    expect(walk('a', null, -1)).toEqual({ cellId: 'd', line: null });
    expect(nextFault(modelOf({ a: [] }), { cellId: 'a', line: null }, 1)).toBeNull();
  });
});
