import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { loadConfig } from '../../config/loadConfig.ts';
import { AdaptiveSlots } from './adaptiveSlots.ts';
import { ScanAdmission } from './scanAdmission.ts';

const RANGE = { min: 2, max: 6, targetP95Ms: 500, hysteresis: 3 };
const INTERVAL_MS = 5_000;

/** The scans of one interval: how many, how long each held a slot, and how long it waited for one. */
type Interval = readonly [count: number, heldMs: number, waitedMs: number];
const SLOW: Interval = [10, 501, 0];
const FULL: Interval = [100, 399, 101];
const FINE: Interval = [100, 450, 101];
/** Enough of these intervals remove all others from the window. */
const NO_WAIT: Interval = [100, 399, 100];

/** The slots after each interval. */
function trace(intervals: readonly Interval[], { slots = 4, range = RANGE } = {}): readonly number[] {
  const adaptive = new AdaptiveSlots(slots, range);
  return intervals.map(([count, heldMs, waitedMs], i) => {
    const nowMs = (i + 1) * INTERVAL_MS;
    for (let scan = 0; scan < count; scan++) {
      adaptive.held(heldMs, nowMs);
      adaptive.waited(waitedMs, nowMs);
    }
    return adaptive.adjust(nowMs);
  });
}

describe('adaptive slots', () => {
  it.each<readonly [string, readonly Interval[], readonly number[]]>([
    [
      'slow scans remove a slot every third interval',
      [SLOW, SLOW, SLOW, SLOW, SLOW, SLOW],
      [4, 4, 3, 3, 3, 2],
    ],
    ['slow scans remove none below the range', Array(9).fill(SLOW), [4, 4, 3, 3, 3, 2, 2, 2, 2]],
    [
      'fast scans that others wait for add a slot every third interval',
      [FULL, FULL, FULL, FULL, FULL, FULL],
      [4, 4, 5, 5, 5, 6],
    ],
    ['fast scans add none above the range', Array(9).fill(FULL), [4, 4, 5, 5, 5, 6, 6, 6, 6]],
    ['fast scans that no others wait for add none', Array(6).fill(NO_WAIT), [4, 4, 4, 4, 4, 4]],
    [
      'an interval that needs no change restarts the count',
      [FULL, FULL, FINE, FULL, FULL, FULL],
      [4, 4, 4, 4, 4, 5],
    ],
    [
      'an interval that needs the opposite change restarts the count',
      [SLOW, SLOW, FULL, FULL, FULL],
      [4, 4, 4, 4, 5],
    ],
    ['nine scans are too few to decide', Array(3).fill([3, 900, 0]), [4, 4, 4]],
  ])('[DP-63] %s', (_what, intervals, expected) => {
    expect(trace(intervals)).toEqual(expected);
  });

  it('[DP-63] the 95th percentile decides', () => {
    const slotsAfter = (slow: number): number => {
      const adaptive = new AdaptiveSlots(4, { ...RANGE, hysteresis: 1 });
      for (let i = 0; i < 100; i++) adaptive.held(i < slow ? 501 : 450, 0);
      return adaptive.adjust(0);
    };
    expect([slotsAfter(5), slotsAfter(6)]).toEqual([4, 3]);
  });

  it('[DP-63] scans from more than a minute ago no longer count', () => {
    const slotsAt = (nowMs: number): number => {
      const adaptive = new AdaptiveSlots(4, { ...RANGE, hysteresis: 1 });
      for (let i = 0; i < 10; i++) adaptive.held(501, 0);
      return adaptive.adjust(nowMs);
    };
    expect([slotsAt(60_000), slotsAt(60_001)]).toEqual([3, 4]);
  });

  it('[DP-63] stay in their range, change by one, and never change in the wrong direction', () => {
    const interval = fc.tuple(
      fc.integer({ min: 0, max: 20 }),
      fc.integer({ min: 0, max: 1_000 }),
      fc.integer({ min: 0, max: 300 }),
    );
    fc.assert(
      fc.property(
        fc.array(interval, { maxLength: 60 }),
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 1, max: 8 }),
        (intervals, hysteresis, slots) => {
          let before = slots;
          for (const now of trace(intervals, { slots, range: { ...RANGE, hysteresis } })) {
            expect(Math.abs(now - before)).toBeLessThanOrEqual(1);
            if (now < before) expect(now).toBeGreaterThanOrEqual(RANGE.min);
            if (now > before) expect(now).toBeLessThanOrEqual(RANGE.max);
            before = now;
          }
        },
      ),
    );
  });
});

describe('admission of scans', () => {
  afterEach(() => vi.useRealTimers());
  const never = new AbortController().signal;
  const anyone = { client: 'a', tenant: '' };
  const DEFAULTS = loadConfig({ cwd: '/', env: {} });
  const SETTINGS = {
    ...DEFAULTS,
    perClientInteractive: 0,
    perClientBulk: 0,
    interactiveSlots: 3,
    bulkSlots: 3,
    adaptiveTargetP95Ms: 500,
    adaptiveHysteresis: 1,
    adaptiveIntervalSeconds: 5,
    adaptiveMinInteractive: 1,
    adaptiveMaxInteractive: 9,
    adaptiveMinBulk: 2,
    adaptiveMaxBulk: 9,
  };
  /** How many scans get a slot at the same time. */
  const slotsOf = async (admission: ScanAdmission, tier: 'interactive' | 'bulk'): Promise<number> => {
    const leaving = new AbortController();
    let slots = 0;
    const all = Array.from({ length: 12 }, () =>
      admission.admit(tier, anyone, leaving.signal).then(
        (end) => {
          slots += 1;
          return end;
        },
        () => null,
      ),
    );
    for (let i = 0; i < 50; i++) await Promise.resolve();
    leaving.abort(new Error('counted'));
    for (const end of await Promise.all(all)) end?.();
    return slots;
  };

  it.each<readonly [string, Partial<typeof SETTINGS>, readonly [number, number]]>([
    ['off', { adaptiveEnabled: false }, [3, 3]],
    ['on', { adaptiveEnabled: true }, [1, 2]],
    ['on, with another range', { adaptiveEnabled: true, adaptiveMinInteractive: 2 }, [2, 2]],
    ['on, with another target', { adaptiveEnabled: true, adaptiveTargetP95Ms: 60_000 }, [3, 3]],
    ['on, with another hysteresis', { adaptiveEnabled: true, adaptiveHysteresis: 2 }, [2, 2]],
    ['on, with longer intervals', { adaptiveEnabled: true, adaptiveIntervalSeconds: 11 }, [3, 3]],
  ])('[DP-64] after ten seconds of slow scans, adaptive slots %s', async (_what, settings, expected) => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    let nowMs = 0;
    const admission = new ScanAdmission({ ...SETTINGS, ...settings }, () => nowMs);
    for (const tier of ['interactive', 'bulk'] as const) {
      for (let i = 0; i < 10; i++) {
        const end = await admission.admit(tier, anyone, never);
        nowMs += 700;
        end();
      }
    }
    vi.advanceTimersByTime(10_000);
    expect([await slotsOf(admission, 'interactive'), await slotsOf(admission, 'bulk')]).toEqual(expected);
    admission.close();
  });

  it.each<readonly [string, Partial<typeof SETTINGS>, readonly [number, number]]>([
    ['nine', {}, [4, 4]],
    ['SVC_ADAPTIVE_MAX_INTERACTIVE=3', { adaptiveMaxInteractive: 3 }, [3, 4]],
    ['SVC_ADAPTIVE_MAX_BULK=3', { adaptiveMaxBulk: 3 }, [4, 3]],
  ])('[DP-103] slots for which scans wait grow to at most %s', async (_most, change, expected) => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    let nowMs = 0;
    const settings = { ...SETTINGS, adaptiveEnabled: true, ...change };
    const admission = new ScanAdmission(settings, () => nowMs);
    // These scans end after the interval, because slots that were held long would be removed.
    const others: (() => void)[] = [];
    for (const tier of ['interactive', 'bulk'] as const) {
      for (let i = 0; i < 2; i++) others.push(await admission.admit(tier, anyone, never));
      for (let i = 0; i < 12; i++) {
        const end = await admission.admit(tier, anyone, never);
        const next = admission.admit(tier, anyone, never);
        nowMs += 200;
        end();
        (await next)();
      }
    }
    vi.advanceTimersByTime(5_000);
    for (const end of others) end();
    expect([await slotsOf(admission, 'interactive'), await slotsOf(admission, 'bulk')]).toEqual(expected);
    admission.close();
  });

  it('[DP-64] a scan that waits gets the slot that is added', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    let nowMs = 0;
    const settings = { ...SETTINGS, adaptiveEnabled: true, bulkSlots: 2 };
    const admission = new ScanAdmission(settings, () => nowMs);
    const first = await admission.admit('bulk', anyone, never);
    for (let i = 0; i < 12; i++) {
      const end = await admission.admit('bulk', anyone, never);
      const next = admission.admit('bulk', anyone, never);
      nowMs += 200;
      end();
      (await next)();
    }
    const second = await admission.admit('bulk', anyone, never);
    const third = admission.admit('bulk', anyone, never);
    vi.advanceTimersByTime(5_000);
    (await third)();
    first();
    second();
    admission.close();
  });
});
