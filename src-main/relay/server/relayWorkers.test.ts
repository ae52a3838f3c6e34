import { describe, expect, it } from 'vitest';
import { admitWorker, readRelayWorkers } from './relayWorkers.ts';

const LONG = 'a-token-of-good-length';
const HEX = 'ab'.repeat(32);

describe('readRelayWorkers', () => {
  const ROWS: readonly (readonly [
    what: string,
    toml: string,
    env: string,
    read: readonly string[] | RegExp,
  ])[] = [
    ['nothing', '', '', []],
    ['the environment', '', `gpu=${LONG}, cpu = ${LONG}=x,`, ['gpu', 'cpu']],
    [
      'a file',
      `[workers.gpu]\ntoken = "${LONG}"\n[workers."a.b"]\ntoken_sha256 = "${HEX}"`,
      '',
      ['gpu', 'a.b'],
    ],
    ['both', `[workers.gpu]\ntoken = "${LONG}"`, `cpu=${LONG}`, ['gpu', 'cpu']],
    ['twice', `[workers.gpu]\ntoken = "${LONG}"`, `gpu=${LONG}`, /listed twice/],
    ['a short token', '', 'gpu=short', /token of gpu has fewer than 16/],
    ['a name that is a path', '', `a/b=${LONG}`, /a worker's name must/],
    ['no pair', '', 'gpu', /list of name=token/],
    ['invalid TOML', '[workers', '', /not valid TOML/],
    ['no token', '[workers.gpu]', '', /token or token_sha256; wrong at workers.gpu/],
    ['both kinds', `[workers.gpu]\ntoken = "${LONG}"\ntoken_sha256 = "${HEX}"`, '', /wrong at workers.gpu/],
    ['an invalid digest', '[workers.gpu]\ntoken_sha256 = "ab"', '', /64 hexadecimal/],
    ['another table', '[relay]', '', /wrong at the top level|workers/],
  ];
  for (const [what, toml, env, expected] of ROWS) {
    it(`[RL-19] ${what}`, () => {
      const read = () => [...readRelayWorkers({ toml, env }).keys()];
      if (expected instanceof RegExp) expect(read).toThrow(expected);
      else expect(read()).toEqual(expected);
    });
  }

  it('[RL-19] no message of a refusal contains a token', () => {
    const texts = [
      `[workers.gpu]\ntoken = "${LONG}" x`,
      `workers = "${LONG}"`,
      `[workers.gpu]\ntokens = "${LONG}"`,
    ];
    for (const toml of texts) {
      let message = '';
      try {
        readRelayWorkers({ toml, env: '' });
      } catch (error) {
        message = String(error);
      }
      expect([message !== '', message.includes(LONG)]).toEqual([true, false]);
    }
  });
});

describe('admitWorker', () => {
  const workers = readRelayWorkers({ toml: '', env: `gpu=${LONG}` });
  const ROWS = [
    ['gpu', `Bearer ${LONG}`, true],
    ['gpu', `bearer ${LONG}`, true],
    ['gpu', LONG, false],
    ['gpu', `Bearer ${LONG}x`, false],
    ['gpu', 'Bearer ', false],
    ['gpu', '', false],
    ['cpu', `Bearer ${LONG}`, false],
    ['', '', false],
  ] as const;
  it('[RL-19] the name and the token must belong to the same worker', () => {
    expect(ROWS.map(([name, header]) => [name, header, admitWorker(workers, name, header) !== null])).toEqual(
      ROWS,
    );
  });
});
