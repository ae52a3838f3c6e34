import { describe, expect, it } from 'vitest';
import { accessAt, isPythonName, nameAt } from './pythonWord.ts';

/** The access at the end of a line, in short form. */
function access(line: string): string | null {
  const word = accessAt(line, { line: 0, character: line.length });
  if (word === null) return null;
  const { kind, name, typed } = word;
  return `${kind} ${name} ${typed}${kind === 'key' ? ` ${word.quote ?? 'bare'}` : ''}`;
}

describe('the part of a value that is being written', () => {
  it.each([
    ['df.', 'attribute df '],
    ['x = df.ci', 'attribute df ci'],
    ['f(df.ci', 'attribute df ci'],
    ['a.df.', null],
    ['f().df', null],
    ['df["', 'key df  "'],
    ["df['ci", "key df ci '"],
    ['df[', 'key df  bare'],
    ['df[["a", "', 'key df  "'],
    ['df.loc[:, "c', 'key df c "'],
    ['df.groupby("', null],
    ['df[0', null],
    ['# df["', null],
    ['x = 1', null],
  ])('[LS-5] %j: %s', (line, wanted) => {
    expect(access(line)).toBe(wanted);
  });
});

describe('the name at a place', () => {
  it.each([
    ['df2', 0, 'df2'],
    ['df2', 3, 'df2'],
    ['a + größe', 6, 'größe'],
    ['a + b', 2, null],
    ['if x', 1, null],
    ['12', 1, null],
  ])('[LS-6] %j at %d: %s', (source, character, wanted) => {
    expect(nameAt(source, { line: 0, character })?.name ?? null).toBe(wanted);
  });

  it.each([
    ['x', true],
    ['größe_2', true],
    ['2x', false],
    ['class', false],
    ['a b', false],
    ['', false],
  ])('[LS-7] %j is a name: %s', (text, wanted) => {
    expect(isPythonName(text)).toBe(wanted);
  });
});
