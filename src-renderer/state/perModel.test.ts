import { expect, test } from 'vitest';
import { emptyNotebook } from './notebookModel.ts';
import { perModel } from './perModel.ts';

test('computes once per model, and again for another one', () => {
  let done = 0;
  const read = perModel((model) => {
    done += 1;
    return [...model.order];
  });
  const first = read(emptyNotebook);
  expect(read(emptyNotebook)).toBe(first);
  expect(done).toBe(1);
  expect(read({ ...emptyNotebook, order: ['a'] })).toEqual(['a']);
  expect(done).toBe(2);
});
