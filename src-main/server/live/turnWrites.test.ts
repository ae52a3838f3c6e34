import { Writable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { turnWrites } from './turnWrites.ts';

/** A stream and what each of its system calls would have carried. */
function sink(): { readonly stream: Writable; readonly calls: string[] } {
  const calls: string[] = [];
  const stream = new Writable({
    decodeStrings: false,
    write: (chunk, _encoding, done) => {
      calls.push(String(chunk));
      done();
    },
    writev: (chunks, done) => {
      calls.push(chunks.map(({ chunk }) => chunk).join(''));
      done();
    },
  });
  return { stream, calls };
}

test('what is written in one turn leaves together, in order, and nothing waits for a later one', async () => {
  const { stream, calls } = sink();
  const hold = turnWrites(stream);
  const write = (text: string): void => {
    hold();
    stream.write(text);
  };
  for (const text of ['a', 'b', 'c']) write(text);
  expect(calls).toEqual([]);
  await turn();
  write('d');
  await turn();
  expect(calls).toEqual(['abc', 'd']);
});

test('what was written before the end of a stream is in it', async () => {
  const { stream, calls } = sink();
  turnWrites(stream)();
  stream.write('last');
  stream.end('.');
  await turn();
  expect(calls.join('')).toBe('last.');
});
