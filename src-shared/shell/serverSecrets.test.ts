import { expect, it } from 'vitest';
import { row, VARIABLE_NAMES } from '../../src-main/config/variables.ts';
import { isServerSecret, splitServerSecrets } from './serverSecrets.ts';

const ROWS: readonly (readonly [name: string, isSecret: boolean])[] = [
  ['SVC_AI_API_KEY', true],
  ['SVC_S3_SECRET_KEY', true],
  ['SVC_TRANSFORM_SIGNING_SECRET', true],
  ['svc_proxy_token', true],
  ['SVC_CATALOGS__LAKE__PASSWORD', true],
  ['INFISICAL_TOKEN', true],
  ['INFISICAL_API_URL', true],
  ['SVC_PROXY_TOKEN_HEADER', false],
  ['SVC_AI_MAX_OUTPUT_TOKENS', false],
  ['AWS_SECRET_ACCESS_KEY', false],
  ['OPENAI_API_KEY', false],
  ['UV_INDEX_URL', false],
  ['DATABASE_PASSWORD', false],
  ['PATH', false],
];

it.each(ROWS)('[SG-60] %s is a key of the server: %s', (name, isSecret) => {
  expect(isServerSecret(name)).toBe(isSecret);
});

it('[SG-60] every secret variable of the configuration is a key of the server', () => {
  const secret = VARIABLE_NAMES.filter((name) => row(name).secret);
  expect(secret.length).toBeGreaterThan(10);
  expect(secret.filter((name) => !isServerSecret(name))).toEqual([]);
});

it('[SG-60] an environment is split into keys and the rest', () => {
  const env = { PATH: '/bin', SVC_AI_API_KEY: 'k', UNSET: undefined };
  expect(splitServerSecrets(env)).toEqual({ rest: { PATH: '/bin' }, secrets: { SVC_AI_API_KEY: 'k' } });
});
