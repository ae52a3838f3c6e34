import { describe, expect, it } from 'vitest';
import { createLogger } from './log.ts';
import { LogRing } from './logRing.ts';

function logging(level: 'DEBUG' | 'INFO' = 'INFO') {
  const ring = new LogRing();
  const written: string[] = [];
  const log = createLogger({
    level,
    format: 'json',
    ring,
    destination: { write: (line) => void written.push(line) },
  });
  return { ring, written, log };
}

describe('the recent log lines of a notebook', () => {
  it('[RE-45] are only its own, oldest first, including those below the log’s level', () => {
    const { ring, written, log } = logging();
    const a = log.child({ notebook: '/a' }, { level: 'debug' });
    const b = log.child({ notebook: '/b' }, { level: 'debug' });
    a.debug({ cell: 'x' }, 'ran');
    b.info('theirs');
    log.info('nobody asked');
    a.warn('odd');
    expect(ring.linesOf('/a').map(({ level, message, detail }) => [level, message, detail])).toEqual([
      ['debug', 'ran', '{"cell":"x"}'],
      ['warning', 'odd', null],
    ]);
    expect(ring.linesOf('/b').length).toBe(1);
    expect(written.map((line) => JSON.parse(line).message)).toEqual(['theirs', 'nobody asked', 'odd']);
  });

  it('[RE-45] the newest 2,000 remain', () => {
    const { ring, log } = logging();
    const a = log.child({ notebook: '/a' });
    for (let at = 0; at < 2_005; at += 1) a.info(`line ${at}`);
    const lines = ring.linesOf('/a');
    expect([lines.length, lines[0]?.message, lines.at(-1)?.message]).toEqual([2_000, 'line 5', 'line 2004']);
  });
});
