import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseRLock, rLockKey } from './rLock.ts';

describe('lock key of R (worker-protocol 8, worker-process 6, remote-execution 4)', () => {
  const rows: readonly (readonly [name: string, text: string, key: string])[] = [
    [
      'the example of the specification',
      '{"R":{"Version":"4.4.1"},"Packages":{}}\n',
      'ba034cb7046c21bfc3637c1dd2633e67a4039e29c5ed74bcc498c59abdb7e87b',
    ],
    ['an empty file', '', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
  ];
  it.each(rows)('[EN-56] %s', (_, text, key) => {
    expect(rLockKey(text)).toBe(key);
    expect(rLockKey(Buffer.from(text))).toBe(key);
  });

  it('[EN-56] different texts have different keys', () => {
    fc.assert(fc.property(fc.string(), fc.string(), (a, b) => (rLockKey(a) === rLockKey(b)) === (a === b)));
  });
});

describe('renv.lock', () => {
  const rows: readonly (readonly [name: string, text: string, expected: ReturnType<typeof parseRLock>])[] = [
    ['no packages', '{"R":{"Version":"4.4.1"},"Packages":{}}', { rVersion: '4.4.1', packages: [] }],
    [
      'packages by name, other fields are ignored',
      '{"R":{"Version":"4.4.1","Repositories":[]},"Packages":{"b":{"Version":"2","Hash":"x"},"a":{"Source":"Git"}}}',
      {
        rVersion: '4.4.1',
        packages: [
          { name: 'a', version: '' },
          { name: 'b', version: '2' },
        ],
      },
    ],
    ['no version of R', '{"Packages":{}}', { rVersion: '', packages: [] }],
    ['no package list', '{"R":{"Version":"4.4.1"}}', null],
    ['packages in a list', '{"Packages":[]}', null],
    ['truncated', '{"Packages":{', null],
  ];
  it.each(rows)('[EN-56] %s', (_, text, expected) => {
    expect(parseRLock(text)).toEqual(expected);
  });
});
