import { describe, expect, it } from 'vitest';
import { HiddenText } from './hiddenText.ts';
import { createLogger } from './log.ts';
import { LogRing } from './logRing.ts';

function logging(format: 'json' | 'text') {
  const hidden = new HiddenText();
  const ring = new LogRing();
  const written: string[] = [];
  const destination = { write: (line: string) => void written.push(line) };
  return { hidden, ring, written, log: createLogger({ level: 'INFO', format, destination, ring, hidden }) };
}

describe('[SE-13] the log', () => {
  it.each(['json', 'text'] as const)('as %s contains no known value, in any spelling', (format) => {
    const { hidden, written, ring, log } = logging(format);
    log.info('hush-hush is not known yet');
    hidden.add(['hush-hush', 'quo"ted\\value', '20261122', 'short']);
    const about = log.child({ notebook: '/hush-hush' });
    about.error(
      { err: new Error('at hush-hush'), said: 'a quo"ted\\value', port: 20261122 },
      'hush-hush, short',
    );
    const [before, after = ''] = written;
    expect(before).toContain('hush-hush is not known yet');
    expect(after).toContain('[hidden], short');
    expect(after).toContain('at [hidden]');
    expect(after).not.toMatch(/quo|ted/);
    expect(after).toContain('20261122');
    expect(ring.linesOf('/hush-hush').map(({ message }) => message)).toEqual(['[hidden], short']);
  });

  it('is still one line of JSON each', () => {
    const { hidden, written, log } = logging('json');
    hidden.add(['"level":"']);
    log.info({ text: 'x"level":"y' }, 'fine');
    expect(JSON.parse(written[0] ?? '')).toMatchObject({
      level: 'info',
      text: 'x[hidden]y',
      message: 'fine',
    });
    expect(written[0]?.endsWith('\n')).toBe(true);
  });
});
