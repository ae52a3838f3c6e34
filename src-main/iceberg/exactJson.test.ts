import { describe, expect, it } from 'vitest';
import { parseExactJson } from './exactJson.ts';

describe('[IC-5] JSON with exact integers', () => {
  it.each([
    ['9007199254740991', 9007199254740991],
    ['9007199254740993', 9007199254740993n],
    ['-9223372036854775808', -9223372036854775808n],
    ['{"a":[8358671394389713489,1.5,1e3]}', { a: [8358671394389713489n, 1.5, 1000] }],
    ['1e400', Number.POSITIVE_INFINITY],
    ['"9007199254740993"', '9007199254740993'],
  ])('%s', (text, value) => expect(parseExactJson(text)).toEqual(value));
});
