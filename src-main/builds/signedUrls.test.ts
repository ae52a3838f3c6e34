import { describe, expect, it } from 'vitest';
import { attemptOf, checkSignature, leaseOf, type SignedPayload, signatureOf } from './signedUrls.ts';

const AT = 1_800_000_000.5;
const LEASE = leaseOf('external:manifest', 1_800_000_660.25);

/** The worked examples of signed-builds, secret `test-secret`. */
const EXAMPLES: readonly (readonly [string, SignedPayload, string])[] = [
  [
    'download',
    { op: 'download', artifact_id: 'abc', version: 4, build_id: 'b1', expires_at: AT },
    'XKsUdczRPwAX3WpVU84xuqbVgEVZkbwf7Gbi40hvWrg=',
  ],
  [
    'upload',
    { op: 'upload', build_id: 'b1', max_bytes: 1_073_741_824, expires_at: AT },
    'KGG0fHuVgkbJZssmAdNsJCrsLtSCBVn0EpwnG_XzXao=',
  ],
  ['log', { op: 'log', build_id: 'b1', expires_at: AT }, 'm5NdGTyxPJ9TLJGk-p0Gc7r8aBoYI0YrMUpTqcle5Dw='],
  [
    'finalize without a lease',
    { op: 'finalize', build_id: 'b1', expires_at: AT, lease: '' },
    'IoeE96X3Q4lzPkp6g6zE4BkRlYnJYQa604eyxPjMGPw=',
  ],
  [
    'finalize with a lease',
    { op: 'finalize', build_id: 'b1', expires_at: AT, lease: LEASE },
    'zdeayvlduePuKlurpu3rf6q346-m2E4xk3nvJF6vysk=',
  ],
];

describe('[BU-1] signatures', () => {
  it.each(EXAMPLES)('%s', (_name, payload, signature) => {
    expect(signatureOf('test-secret', payload)).toBe(signature);
  });

  it('a lease and its attempt', () => {
    expect([LEASE, attemptOf(LEASE)]).toEqual([
      'external:manifest:1800000660.25',
      '2cc1c9c944dc73d28febafe87985c4d3',
    ]);
    expect(leaseOf('o', 12)).toBe('o:12.0');
  });

  it('text beyond ASCII is escaped', () => {
    const payload = { op: 'log', build_id: 'é', expires_at: 1 } as const;
    // HMAC of {"build_id": "\u00e9", "expires_at": 1.0, "op": "log"}, made with another program.
    expect(signatureOf('s', payload)).toBe('UYcWi7DwslRn3EGP7c1t3q7jZ1yl7CQ7n-sUW-fB0PY=');
  });
});

describe('[BU-2] the scope of a signature', () => {
  const payload = { op: 'log', build_id: 'b1', expires_at: 100 } as const;
  const signature = signatureOf('s', payload);
  it.each([
    ['in time', { ...payload }, { signature, nowSeconds: 100 }, null],
    ['too late', { ...payload }, { signature, nowSeconds: 100.5 }, 403],
    ['another build', { ...payload, build_id: 'b2' }, { signature, nowSeconds: 1 }, 403],
    ['a longer time', { ...payload, expires_at: 200 }, { signature, nowSeconds: 1 }, 403],
    ['no signature', { ...payload }, { signature: 'x', nowSeconds: 1 }, 403],
  ])('%s', (_name, asked, given, status) => {
    const check = () => checkSignature('s', asked, given);
    if (status === null) expect(check).not.toThrow();
    else expect(check).toThrow(expect.objectContaining({ status, message: 'Invalid or expired signature' }));
  });
});
