import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createHolds } from './holds.ts';

describe('[QH-3] holds', () => {
  const released: string[] = [];
  let holds: ReturnType<typeof createHolds>;
  beforeEach(() => {
    vi.useFakeTimers();
    released.length = 0;
    holds = createHolds((path) => released.push(path));
  });
  afterEach(() => vi.useRealTimers());

  it.each([
    ['/p', '/p'],
    ['/p', '/p/a'],
    ['/p/a', '/p'],
    ['/p', '/p/a/b'],
  ])('%s and %s overlap', (first, second) => {
    holds.take(first);
    expect(() => holds.take(second)).toThrow(expect.objectContaining({ code: 'NOTEBOOK_QUIESCED' }));
    expect(holds.over(second)?.path ?? null).toBe(second.startsWith(first) ? first : null);
  });

  it.each([
    ['/p', '/pp'],
    ['/p/a', '/p/b'],
    ['/p/a', '/p/ab'],
  ])('%s and %s do not', (first, second) => {
    holds.take(first);
    expect(holds.take(second).phase).toBe('draining');
    expect(holds.over(second)?.path).toBe(second);
  });

  it('only the held folder itself is released', () => {
    holds.take('/p');
    expect([holds.release('/p/a'), holds.release('/'), released]).toEqual([false, false, []]);
    expect([holds.release('/p'), holds.release('/p'), released]).toEqual([true, false, ['/p']]);
  });

  it('ends automatically after its time, which begins when it takes effect', () => {
    const hold = holds.take('/p');
    vi.advanceTimersByTime(10_000);
    expect(holds.settle(hold, 1_000)).toBe(true);
    vi.advanceTimersByTime(999);
    expect(holds.over('/p')).toBe(hold);
    vi.advanceTimersByTime(1);
    expect([holds.over('/p'), released]).toEqual([null, ['/p']]);
  });

  it('one that was released while draining has no effect, even if another one has started', () => {
    const hold = holds.take('/p');
    holds.release('/p');
    holds.take('/p');
    expect(holds.settle(hold, 1_000)).toBe(false);
  });
});
