import { expect, it } from 'vitest';
import { workerUrls } from './workerUrls.ts';

const H = 'http://w:9000';

/** The worker's address, and its addresses for health, pull, cancel of `b`, and hints. */
const rows: readonly (readonly [string, string, string, string, string])[] = [
  [
    `${H}/v1/execute`,
    `${H}/health`,
    `${H}/v1/execute-manifest`,
    `${H}/v1/executions/b/cancel`,
    `${H}/v1/hints`,
  ],
  [
    `${H}/v1/notebook-execute`,
    `${H}/health`,
    `${H}/v1/execute-manifest`,
    `${H}/v1/executions/b/cancel`,
    `${H}/v1/hints`,
  ],
  [
    `${H}/v1/execute/`,
    `${H}/health`,
    `${H}/v1/execute-manifest`,
    `${H}/v1/executions/b/cancel`,
    `${H}/v1/hints`,
  ],
  [
    `${H}/w/7/v1/execute?a=1#f`,
    `${H}/w/7/health`,
    `${H}/w/7/v1/execute-manifest`,
    `${H}/w/7/v1/executions/b/cancel`,
    `${H}/w/7/v1/hints`,
  ],
  [
    `${H}/v1/execute-manifest`,
    `${H}/v1/execute-manifest/health`,
    `${H}/v1/execute-manifest`,
    `${H}/v1/executions/b/cancel`,
    `${H}/v1/hints`,
  ],
  [
    `${H}/execute`,
    `${H}/execute/health`,
    `${H}/execute/v1/execute-manifest`,
    `${H}/execute/v1/executions/b/cancel`,
    `${H}/v1/hints`,
  ],
  [H, `${H}/health`, `${H}/v1/execute-manifest`, `${H}/v1/executions/b/cancel`, `${H}/v1/hints`],
  [`${H}/`, `${H}/health`, `${H}/v1/execute-manifest`, `${H}/v1/executions/b/cancel`, `${H}/v1/hints`],
  [
    'https://u:p@w/x',
    'https://u:p@w/x/health',
    'https://u:p@w/x/v1/execute-manifest',
    'https://u:p@w/x/v1/executions/b/cancel',
    'https://u:p@w/x/v1/hints',
  ],
];

it.each(rows)('[RW-4] %s', (url, health, pull, cancel, hints) => {
  const urls = workerUrls(url);
  expect([urls.push, urls.health, urls.pull, urls.cancel('b'), urls.hints]).toEqual([
    url,
    health,
    pull,
    cancel,
    hints,
  ]);
});

it('[RW-4] a build id is escaped in the address', () => {
  expect(workerUrls(H).cancel('../x')).toBe(`${H}/v1/executions/..%2Fx/cancel`);
});
