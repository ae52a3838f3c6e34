import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { joinParts, jsonParts } from './jsonParts.ts';

const textOf = (value: unknown) => joinParts(jsonParts(value)).toString();

describe('jsonParts', () => {
  it('equals JSON.stringify, the first time and every time', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        expect(textOf(value)).toBe(JSON.stringify(value));
        expect(textOf(value)).toBe(JSON.stringify(value));
      }),
    );
  });

  const part = { x: [1, { y: 'é"\n\u{1f600}' }] };
  const cells = [part, { z: 'a' }, undefined, 'text'];
  const rows: readonly { readonly name: string; readonly value: unknown }[] = [
    { name: 'absent members', value: { a: undefined, b: [undefined, 1], c: { d: undefined }, e: undefined } },
    { name: 'only absent members', value: { a: undefined } },
    { name: 'an absent first member', value: { a: undefined, b: 1, c: [] } },
    { name: 'shared parts', value: { one: part, many: [part, part] } },
    { name: 'a list of views', value: { n: 1, cells, after: true } },
    { name: 'the same list again', value: { cells, dag: part } },
    { name: 'an invalid list', value: { cells: { a: 1 } } },
    { name: 'an empty list', value: { cells: [] } },
    { name: 'dates', value: { at: new Date(0) } },
    {
      name: 'members that write themselves',
      value: { a: { toJSON: () => 'b' }, c: { toJSON: () => undefined } },
    },
    { name: 'an object that writes itself', value: { toJSON: () => ({ a: 1 }) } },
  ];
  it.each(rows)('agrees with JSON.stringify about $name, twice', ({ value }) => {
    expect(textOf(value)).toBe(JSON.stringify(value));
    expect(textOf(value)).toBe(JSON.stringify(value));
  });

  it('a value without a JSON form is null', () => expect(textOf(undefined)).toBe('null'));
});
