/** Checks that no variable of the sources has a participle as its name, such as `found`. */

import { describe, expect, it } from 'vitest';
import { VAGUE_VARIABLE, vagueVariables } from './localNames.ts';
import { bannedTexts, productFiles, treeOf } from './uiWords.ts';

describe('[WI-301] the names of variables', () => {
  it('say what the variable holds', () => {
    const files = productFiles(['src-main', 'src-shared', 'src-renderer']);
    expect(files.length).toBeGreaterThan(1500);
    const names = bannedTexts(files, VAGUE_VARIABLE, vagueVariables);
    expect(names.map(({ file, line, text }) => `${file}:${line}: ${text}`)).toEqual([]);
  });

  it.each([
    ['const found = rows.find(isOpen);', ['const found']],
    ['for (const kept of rows) use(kept);', ['const kept']],
    ['let shown = 0;', ['let shown']],
    ['const { kept } = result;', []],
    ['const openRow = rows.find(isOpen);', []],
    ['const done = last.then(work);', []],
  ])('%s', (code, names) => {
    const tree = treeOf('src-main/x.ts', code);
    expect(VAGUE_VARIABLE.test(code)).toBe(names.length > 0);
    expect(vagueVariables({ file: 'src-main/x.ts', tree }).map(({ text }) => text)).toEqual(names);
  });
});
