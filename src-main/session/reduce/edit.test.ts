import { describe, expect, it } from 'vitest';
import { cellId } from '../../../src-shared/notebook/ids.ts';
import { createWorld } from '../testWorld.ts';

const A = cellId('a');

describe('[LP-39] an edit that no file can hold', () => {
  const texts: readonly { readonly name: string; readonly source: string; readonly says: string }[] = [
    { name: 'a NUL character', source: 'x = 2\0', says: 'cells/a.py holds a NUL character.' },
    {
      name: 'half a surrogate pair',
      source: 'x = "\ud83d"',
      says: 'cells/a.py holds half of a surrogate pair, which UTF-8 cannot store.',
    },
    { name: 'too much', source: 'x'.repeat(1_000_001), says: 'Cell source exceeds 1MB limit' },
  ];
  it.each(texts)('$name is refused, names its cell and is not kept', ({ source, says }) => {
    const world = createWorld({ a: 'x = 1', b: 'y = x' });
    const before = world.state();
    const reply = world.send({ type: 'source_edited', cellId: A, source, force: false });
    expect(reply).toMatchObject({ kind: 'refused', error: { code: 'bad_request', message: says } });
    expect(world.frames.map(({ frame, to }) => [frame.type, frame.payload, to])).toEqual([
      ['error', { error: says, cell_id: 'a' }, { kind: 'only', socketId: 's1' }],
    ]);
    expect(world.state()).toBe(before);
  });
});
