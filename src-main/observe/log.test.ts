import { describe, expect, it } from 'vitest';
import { createLogger, type LogLevel } from './log.ts';

function lines(level: LogLevel, format: 'json' | 'text'): string[] {
  const written: string[] = [];
  const log = createLogger({ level, format, destination: { write: (line) => written.push(line) } });
  const child = log.child({ request_id: 'r1' });
  child.debug('quiet');
  child.info({ port: 1 }, 'hello');
  child.warn({ token: 's3cret', headers: { authorization: 's3cret' } }, 'careful');
  child.error({ err: new Error('broken'), cell_id: 'a' }, 'failed');
  return written;
}

describe('createLogger', () => {
  it.each<readonly [LogLevel, number]>([
    ['DEBUG', 4],
    ['INFO', 3],
    ['WARNING', 2],
    ['ERROR', 1],
    ['CRITICAL', 0],
  ])('%s writes %d lines', (level, count) => {
    expect(lines(level, 'json')).toHaveLength(count);
    expect(lines(level, 'text')).toHaveLength(count);
  });

  it('writes JSON with the request id and without secrets', () => {
    const [info, warning, error] = lines('INFO', 'json').map((line) => JSON.parse(line));
    expect(info).toEqual({
      level: 'info',
      timestamp: expect.any(String),
      request_id: 'r1',
      port: 1,
      message: 'hello',
    });
    expect(warning).toMatchObject({
      level: 'warning',
      token: '[hidden]',
      headers: { authorization: '[hidden]' },
    });
    expect(error).toMatchObject({
      level: 'error',
      message: 'failed',
      cell_id: 'a',
      exception: { message: 'broken' },
    });
  });

  it('accepts an error without fields', () => {
    const written: string[] = [];
    createLogger({
      level: 'INFO',
      format: 'json',
      destination: { write: (line) => written.push(line) },
    }).error(new Error('broken'));
    expect(JSON.parse(written[0] ?? '')).toMatchObject({ message: 'broken', exception: { type: 'Error' } });
  });

  it('writes text with the stack below', () => {
    const [info, , error] = lines('INFO', 'text');
    expect(info).toMatch(/^\S+Z INFO {5}hello request_id="r1" port=1\n$/);
    expect(error).toContain('\nError: broken');
  });
});
