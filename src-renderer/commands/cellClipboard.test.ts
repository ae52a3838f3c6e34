import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ClipCell } from './cellClipboard.ts';
import { cellsOfText, cellsToPaste, clipOf, parseClip } from './cellClipboard.ts';

const code = (source: string): ClipCell => ({ language: 'python', source });
const text = (source: string): ClipCell => ({ language: 'markdown', source });

test.each<[string, string, readonly ClipCell[]]>([
  ['plain text is a cell', 'x = 1\ny = 2', [code('x = 1\ny = 2')]],
  ['blank text gives no cell', '  \n', []],
  ['several', '# %%\nx = 1\n\n# %%\ny = 2\n', [code('x = 1'), code('y = 2')]],
  ['text before the first mark is a cell', 'a = 0\n# %%\nx = 1', [code('a = 0'), code('x = 1')]],
  ['without a blank', '#%% title\nx = 1', [code('x = 1')]],
  ['text as comments', '# %% [markdown]\n# # Title\n#\n# words', [text('# Title\n\nwords')]],
  ['text without comment signs', '# %% [md]\n# Title\nwords', [text('# Title\nwords')]],
  ['another language', '# %% [sql]\nselect 1', [{ language: 'sql', source: 'select 1' }]],
  ['an unknown language', '# %% [cobol]\nx', [code('x')]],
  ['line breaks of another system', '# %%\r\nx = 1\r\n# %%\r\ny', [code('x = 1'), code('y')]],
])('[ED-5] parses pasted text: %s', (_name, pasted, expected) => {
  expect(cellsOfText(pasted)).toEqual(expected);
});

test('[ED-5] restores several copied cells only from their text', () => {
  const source = fc
    .array(fc.constantFrom('x = 1', '', '  y', 'é # %', '# note'), { minLength: 1, maxLength: 5 })
    .map((lines) => ['a', ...lines, 'b'].join('\n'));
  const cell = fc.record({ language: fc.constantFrom('python' as const, 'markdown', 'sql', 'r'), source });
  fc.assert(
    fc.property(fc.array(cell, { minLength: 2, maxLength: 4 }), (cells) => {
      expect(cellsOfText(clipOf(cells).text)).toEqual(cells);
    }),
  );
});

test('[ED-5] pastes cells only while their text is still on the clipboard', () => {
  const clip = clipOf([text('# A'), code('x')]);
  expect(cellsToPaste({ text: clip.text.replaceAll('\n', '\r\n'), clip })).toEqual(clip.cells);
  expect(cellsToPaste({ text: null, clip })).toEqual(clip.cells);
  expect(cellsToPaste({ text: 'other', clip })).toEqual([code('other')]);
  expect(cellsToPaste({ text: null, clip: null })).toEqual([]);
});

test.each([null, '', '{', '{"cells":[]}', '{"cells":[{"language":"x","source":""}],"text":""}'])(
  'other text is not parsed as copied cells: %s',
  (json) => {
    expect(parseClip(json)).toBeNull();
  },
);
