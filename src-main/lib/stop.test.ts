import { describe, expect, test } from 'vitest';
import { createStop, type StopManner } from './stop.ts';

describe('[EX-27] stopping', () => {
  const rows: readonly {
    readonly asked: readonly StopManner[];
    readonly patient: boolean;
    readonly harder: number;
  }[] = [
    { asked: ['gently'], patient: true, harder: 0 },
    { asked: ['gently', 'gently'], patient: true, harder: 0 },
    { asked: ['gently', 'harder', 'harder'], patient: true, harder: 2 },
    { asked: ['harder'], patient: true, harder: 0 },
    { asked: ['soon'], patient: false, harder: 0 },
    { asked: ['soon', 'soon'], patient: false, harder: 0 },
    { asked: ['gently', 'soon', 'soon'], patient: false, harder: 1 },
    { asked: ['soon', 'gently', 'harder'], patient: false, harder: 1 },
  ];
  for (const { asked, ...expected } of rows) {
    test(asked.join(', '), () => {
      const { signal, patience, ask } = createStop();
      let harder = 0;
      const end = patience.onHarder(() => harder++);
      for (const manner of asked) ask(manner);
      expect({ patient: patience.isPatient(), harder, stopped: signal.aborted }).toEqual({
        ...expected,
        stopped: true,
      });
      end();
      ask('harder');
      expect(harder).toBe(expected.harder);
    });
  }
});
