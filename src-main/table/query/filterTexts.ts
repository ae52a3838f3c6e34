/** Filters rows in the data viewer by the displayed text of a column (prefix, suffix, regular expression). */

import { cellText } from '../columns/cellValue.ts';
import { atRow, type Column, NULL, statesOf } from '../columns/column.ts';
import { type FlatText, flatText } from '../columns/flatText.ts';
import { compilePattern, withinTime } from './pattern.ts';

type Predicate = (mask: Uint8Array) => void;

/** A test of the displayed text of a value. */
export type TextTest = (text: string) => boolean;

/** The operators that test the displayed text and ignore case, like `contains`. */
export function affixTest(op: 'starts_with' | 'ends_with', value: string): TextTest {
  const lowered = value.toLowerCase();
  return op === 'starts_with'
    ? (text) => text.toLowerCase().startsWith(lowered)
    : (text) => text.toLowerCase().endsWith(lowered);
}

/** A test of a regular expression. @throws PatternError */
export function patternTest(pattern: string): TextTest {
  const compiled = compilePattern(pattern);
  return (text) => compiled.test(text);
}

/** Keeps the rows whose displayed text passes; null never does. */
export function textTestPredicate(column: Column, test: TextTest): Predicate {
  return (mask) => {
    const states = statesOf(column);
    withinTime(() => {
      if (column.type.kind === 'text') keepTexts(flatText(column), test, mask);
      else {
        for (let row = 0; row < mask.length; row += 1) {
          if (mask[row] === 0) continue;
          const text = atRow(column, row, cellText);
          if (text === null || !test(text)) mask[row] = 0;
        }
      }
    });
    if (states === null) return;
    for (let row = 0; row < mask.length; row += 1) if (states[row] === NULL) mask[row] = 0;
  };
}

function keepTexts(texts: FlatText, test: TextTest, mask: Uint8Array): void {
  const { bytes, offsets } = texts;
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const textOf = (row: number): string => source.toString('utf8', offsets[row] ?? 0, offsets[row + 1] ?? 0);
  for (let row = 0; row < mask.length; row += 1) if (mask[row] === 1 && !test(textOf(row))) mask[row] = 0;
}
