import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  CANCEL_LADDER,
  PATIENT_LADDER,
  type SignalStep,
  sendSignals,
  TIMEOUT_LADDER,
} from './processGroup.ts';

describe('climb', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const rows: readonly {
    readonly name: string;
    readonly ladder: readonly SignalStep[];
    readonly sent: readonly string[];
  }[] = [
    { name: 'patient', ladder: PATIENT_LADDER, sent: ['0 SIGINT', '5000 SIGTERM', '7000 SIGKILL'] },
    { name: 'cancel', ladder: CANCEL_LADDER, sent: ['0 SIGINT', '500 SIGTERM', '2500 SIGKILL'] },
    { name: 'timeout', ladder: TIMEOUT_LADDER, sent: ['0 SIGTERM', '2000 SIGKILL'] },
  ];
  for (const { name, ladder, sent } of rows) {
    test(`${name}: each signal in order, none after the end`, () => {
      const start = Date.now();
      const log: string[] = [];
      sendSignals(ladder, (signal) => log.push(`${Date.now() - start} ${signal}`));
      expect(log).toEqual(sent.slice(0, 1));
      vi.advanceTimersByTime(10_000);
      expect(log).toEqual(sent);
      const stopped: string[] = [];
      sendSignals(ladder, (signal) => stopped.push(signal)).stop();
      vi.advanceTimersByTime(10_000);
      expect(stopped).toHaveLength(1);
    });
  }

  test('[EX-27] a repeated stop sends the next signal immediately; the later signals keep their delays after it', () => {
    const start = Date.now();
    const log: string[] = [];
    const ladder = sendSignals(PATIENT_LADDER, (signal) => log.push(`${Date.now() - start} ${signal}`));
    vi.advanceTimersByTime(1_000);
    ladder.next();
    vi.advanceTimersByTime(10_000);
    ladder.next();
    expect(log).toEqual(['0 SIGINT', '1000 SIGTERM', '3000 SIGKILL']);
  });
});
