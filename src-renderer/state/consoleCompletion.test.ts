import { describe, expect, test } from 'vitest';
import { canComplete, commonStart, nameBeforeCaret, withCompletion } from './consoleCompletion.ts';

describe('[IN-12] the name before the caret', () => {
  test.each([
    ['', '', false],
    ['    ', '', false],
    ['tri', 'tri', true],
    ['x.', '', true],
    ['x.upp', 'upp', true],
    ['f(tri', 'tri', true],
    ['été', 'été', true],
    ['a + ', '', false],
  ])('%j begins %j, completes: %s', (text, name, can) => {
    expect([nameBeforeCaret(text), canComplete(text)]).toEqual([name, can]);
  });

  test.each([
    [['trips', 'trip_count'], 'trip'],
    [['a', 'b'], ''],
    [['one'], 'one'],
    [[], ''],
  ])('%j have the beginning %j in common', (names, start) => {
    expect(commonStart(names)).toBe(start);
  });

  test('is replaced, what follows the caret stays', () => {
    expect(withCompletion('sum(tri', { after: ')', name: 'trips' })).toEqual({
      text: 'sum(trips)',
      caret: 9,
    });
    expect(withCompletion('x.', { after: '', name: 'upper' })).toEqual({ text: 'x.upper', caret: 7 });
  });
});
