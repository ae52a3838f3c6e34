import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LineStore, runsOf, type StoredLine } from './lineStore.ts';

type Act =
  | { readonly act: 'push' }
  | { readonly act: 'block'; readonly lines: readonly string[] }
  | { readonly act: 'set' | 'trim'; readonly at: number };

const act: fc.Arbitrary<Act> = fc.oneof(
  fc.constant<Act>({ act: 'push' }),
  fc
    .array(
      fc.string({ unit: 'grapheme', maxLength: 6 }).map((text) => text.replaceAll('\n', ' ')),
      {
        minLength: 1,
        maxLength: 8,
      },
    )
    .map((lines): Act => ({ act: 'block', lines })),
  fc.record({ act: fc.constantFrom('set' as const, 'trim' as const), at: fc.nat(30) }),
);

test('[WI-9] a store of blocks keeps the lines a plain list keeps', () => {
  fc.assert(
    fc.property(fc.array(act, { maxLength: 30 }), (acts) => {
      const store = new LineStore();
      const list: StoredLine[] = [''];
      let [trimmed, characters] = [0, 0];
      acts.forEach((one, turn) => {
        if (one.act === 'push') {
          store.push();
          list.push('');
        } else if (one.act === 'block') {
          if (list.at(-1) !== '') {
            store.push();
            list.push('');
          }
          const text = one.lines.map((line) => `${line}\n`).join('');
          const ends = [...text.matchAll(/\n/g)].map(({ index }) => index);
          store.pushBlock(text, Uint32Array.from(ends));
          list.splice(-1, 1, ...one.lines, '');
        } else if (one.act === 'set') {
          const at = one.at % list.length;
          store.set(at, `new ${turn}`);
          list[at] = `new ${turn}`;
        } else {
          const lines = Math.min(one.at, list.length - 1);
          store.trim(lines);
          trimmed += lines;
          for (const line of list.splice(0, lines)) characters += line.length + 1;
        }
        expect(Array.from({ length: store.count }, (_none, at) => store.text(at))).toEqual(list);
        expect(Array.from({ length: store.count }, (_none, at) => store.width(at))).toEqual(
          list.map(({ length }) => length),
        );
        expect([store.trimmedLines, store.trimmedCharacters]).toEqual([trimmed, characters]);
        expect(store.line(0)).toEqual(runsOf(list[0] ?? ''));
      });
    }),
    { numRuns: 300 },
  );
});
