import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cellPathOf, fileStemOf, hexStemOf, idOfHexStem, writtenCellFile } from './cellFileNames.ts';

const stems: readonly (readonly [id: string, stem: string])[] = [
  ['load', 'load'],
  ['a.b-c_1', 'a.b-c_1'],
  ['load data', 'load data'],
  ['größe', 'größe'],
  ['a/b', 'a%2Fb'],
  ['a%2Fb', 'a%252Fb'],
  ['..', '%2E%2E'],
  ['../x', '%2E%2E%2Fx'],
  ['.hidden', '%2Ehidden'],
  ['end ', 'end%20'],
  ['-rf', '%2Drf'],
  ['C:\\x', 'C%3A%5Cx'],
  ['o\u0308', 'o%CC%88'],
];

describe('[NF-60] files of cells have safe names', () => {
  test.each(stems)('%j has the stem %j', (id, stem) => {
    expect(fileStemOf(id)).toBe(stem);
  });

  test('any two ids have different stems, and a stem is one plain file name', () => {
    const id = fc.string({ unit: 'binary', minLength: 1, maxLength: 256 }).map((text) => text.toWellFormed());
    fc.assert(
      fc.property(id, id, (a, b) => {
        for (const stem of [fileStemOf(a), hexStemOf(a)]) {
          expect(Buffer.byteLength(stem)).toBeLessThanOrEqual(200);
          expect(stem).not.toMatch(/[/\\:*?"<>|]|^\.|\.\./);
        }
        fc.pre(a !== b);
        expect(fileStemOf(a)).not.toBe(fileStemOf(b));
        expect(hexStemOf(a)).not.toBe(hexStemOf(b));
      }),
    );
  });

  test('a hexadecimal stem can be decoded to the id, a digest cannot', () => {
    expect(idOfHexStem(hexStemOf('a/b'))).toBe('a/b');
    expect(idOfHexStem(hexStemOf('x'.repeat(200)))).toBeNull();
  });
});

const forms: readonly (readonly [siblings: readonly unknown[], written: string])[] = [
  [[], 'new.py'],
  [['load.py'], 'new.py'],
  [['cells/load.py'], 'cells/new.py'],
  [['cells/load.py', 'other.py'], 'new.py'],
  [[null], 'new.py'],
];

describe('[NF-61] cells[].file is a name under cells/', () => {
  test.each(forms)('next to %j a new cell is written as %j', (siblings, written) => {
    expect(writtenCellFile('cells/new.py', siblings)).toBe(written);
    expect(cellPathOf(written)).toBe('cells/new.py');
  });
});
