import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Position, type Segment, type TextChange, VirtualDocument } from './virtualDocument.ts';

const text = fc
  .array(fc.constantFrom('a', 'b = 1', '', '\n', '\r\n', '\r', 'é𝒳'), { maxLength: 8 })
  .map((parts) => parts.join(''));
const segments: fc.Arbitrary<readonly Segment[]> = fc
  .array(fc.record({ text, isCell: fc.boolean() }), { maxLength: 8 })
  .map((all) => all.map(({ text: own, isCell }, at) => ({ cellId: isCell ? `c${at}` : null, text: own })));

function linesOf(own: string): readonly string[] {
  return own.split(/\r\n|\r|\n/);
}

function apply(before: string, { range, text: own }: TextChange): string {
  const offset = ({ line, character }: Position): number => {
    let at = 0;
    for (let left = line; left > 0; left -= 1) {
      const end = /\r\n|\r|\n/.exec(before.slice(at));
      if (end === null) throw new Error('a line that is not there');
      at += end.index + end[0].length;
    }
    return at + character;
  };
  return before.slice(0, offset(range.start)) + own + before.slice(offset(range.end));
}

describe('positions of cells in the document', () => {
  it('[LS-3] convert in both directions and refer to the same line of text', () => {
    fc.assert(
      fc.property(segments, (all) => {
        const document = new VirtualDocument(all);
        const lines = linesOf(document.text);
        for (const { cellId, text: own } of all) {
          if (cellId === null) continue;
          for (const [line, words] of linesOf(own).entries()) {
            const position = { line, character: words.length };
            const there = document.toDocument(cellId, position);
            expect(there).not.toBeNull();
            expect(document.toCell(there as Position)).toEqual({ cellId, position });
            expect(lines[(there as Position).line]).toBe(words);
          }
          expect(document.toDocument(cellId, { line: linesOf(own).length, character: 0 })).toBeNull();
        }
      }),
    );
  });

  it('[LS-3] lines that belong to no cell map to nothing', () => {
    fc.assert(
      fc.property(segments, (all) => {
        const document = new VirtualDocument(all);
        let line = 0;
        for (const { cellId, text: own } of all) {
          const found = document.toCell({ line, character: 0 });
          expect(found?.cellId ?? null).toBe(cellId);
          line += linesOf(own).length;
        }
        expect(document.toCell({ line, character: 0 })).toBeNull();
      }),
    );
  });

  it('[LS-3] one change turns one document into the other', () => {
    fc.assert(
      fc.property(segments, segments, (before, after) => {
        const [old, now] = [new VirtualDocument(before), new VirtualDocument(after)];
        const change = now.changeFrom(old);
        expect(change === null ? old.text : apply(old.text, change)).toBe(now.text);
      }),
    );
  });

  it('[LS-3] a keystroke in one of many cells sends only that cell', () => {
    const cells = Array.from({ length: 500 }, (_, at) => ({ cellId: `c${at}`, text: `x${at} = ${at}` }));
    const edited = cells.map((cell) => (cell.cellId === 'c499' ? { ...cell, text: 'y' } : cell));
    const change = new VirtualDocument(edited).changeFrom(new VirtualDocument(cells));
    expect(change).toEqual({
      range: { start: { line: 499, character: 0 }, end: { line: 500, character: 0 } },
      text: 'y\n',
    });
  });
});
