import { expect, test } from 'vitest';
import { createTableLayouts, noChoices } from './tableLayouts.ts';

function memory(text: string | null = null) {
  const storage = { text };
  const layouts = createTableLayouts({
    read: () => storage.text,
    write: (next) => {
      storage.text = next;
    },
  });
  return { kept: storage, layouts };
}

const choices = { widths: { a: 120 }, pinned: ['a'], hidden: ['b'], order: ['c', 'a', 'b'] };

test('[TB-6] changes to a table’s layout are stored; an unchanged table stores nothing', () => {
  const { kept, layouts } = memory();
  layouts.keep('one', choices);
  layouts.keep('two', { ...choices, hidden: [] });
  expect(layouts.of('one')).toEqual(choices);
  expect(layouts.of('three')).toEqual(noChoices);
  layouts.keep('one', noChoices);
  expect(layouts.of('one')).toEqual(noChoices);
  expect(JSON.parse(kept.text ?? '')).toHaveLength(1);
});

test('[TB-6] the tables that were changed longest ago are forgotten', () => {
  const { layouts } = memory();
  for (let at = 0; at <= 200; at += 1) layouts.keep(`t${at}`, choices);
  expect(layouts.of('t0')).toEqual(noChoices);
  expect(layouts.of('t1')).toEqual(choices);
});

test.each([
  ['nothing', null],
  ['text that is not JSON', '{'],
  ['JSON that is not a list', '{"one":1}'],
  ['items of another shape', '[1,["one"],[2,{}],["one",null]]'],
])('[TB-6] %s counts as no layout', (_what, text) => {
  expect(memory(text).layouts.of('one')).toEqual(noChoices);
});

test('[TB-6] unknown values of a layout are ignored', () => {
  const text = JSON.stringify([['one', { widths: { a: 'wide', b: 90 }, pinned: [1, 'a'], hidden: 'b' }]]);
  expect(memory(text).layouts.of('one')).toEqual({ widths: { b: 90 }, pinned: ['a'], hidden: [], order: [] });
});

test('[TB-6] a browser that forbids storage forgets the layout', () => {
  const forbidden = (): never => {
    throw new Error('forbidden');
  };
  const layouts = createTableLayouts({ read: forbidden, write: forbidden });
  layouts.keep('one', choices);
  expect(layouts.of('one')).toEqual(noChoices);
});
