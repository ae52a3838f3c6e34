import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createScrollWatch } from './afterScrolling.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

it('runs immediately while the page is still', () => {
  const task = vi.fn();
  createScrollWatch().when(task);
  expect(task).toHaveBeenCalledTimes(1);
});

it('waits while the page scrolls, then runs unless cancelled', () => {
  const still = createScrollWatch();
  const [task, left] = [vi.fn(), vi.fn()];
  still.moved();
  still.when(task);
  const takeBack = still.when(left);
  for (let frame = 0; frame < 100; frame += 1) {
    vi.advanceTimersByTime(16);
    still.moved();
  }
  takeBack();
  vi.advanceTimersByTime(100);
  expect(task).not.toHaveBeenCalled();
  vi.advanceTimersByTime(30);
  expect(task).toHaveBeenCalledTimes(1);
  expect(left).not.toHaveBeenCalled();
});
