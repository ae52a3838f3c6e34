import { describe, expect, it } from 'vitest';
import { createBackgroundWork } from './backgroundWork.ts';

describe('[EN-8] background work', () => {
  it('runs one task at a time, in order, also after a failure', async () => {
    const events: string[] = [];
    const background = createBackgroundWork({ quietMs: 0 });
    const piece = (name: string) => async () => {
      events.push(`${name} begins`);
      await new Promise((resolve) => setImmediate(resolve));
      events.push(`${name} ends`);
      if (name === 'b') throw new Error('b broke');
    };
    const failed = (error: unknown) => events.push(String(error));
    for (const name of ['a', 'b', 'c']) background.add(piece(name), failed);
    await expect.poll(() => events.at(-1)).toBe('c ends');
    const ends = ['a begins', 'a ends', 'b begins', 'b ends', 'Error: b broke', 'c begins', 'c ends'];
    expect(events).toEqual(ends);
    await background.close();
  });

  it('waits for a quiet time; closing discards queued tasks and stops the running one, without an error', async () => {
    const events: string[] = [];
    const failed = (error: unknown) => events.push(String(error));
    const waiting = createBackgroundWork({ quietMs: 3_600_000 });
    waiting.add(async () => void events.push('ran'), failed);
    await waiting.close();
    expect(events).toEqual([]);

    const running = createBackgroundWork({ quietMs: 0 });
    let began: () => void = () => undefined;
    const started = new Promise<void>((resolve) => {
      began = resolve;
    });
    running.add(async (signal) => {
      began();
      await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    }, failed);
    running.add(async () => void events.push('ran'), failed);
    await started;
    await running.close();
    expect(events).toEqual([]);
  });
});
