import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createInfisical } from './infisical.ts';
import { createSecretManagers } from './secretManagers.ts';
import type { SecretProvider } from './secretProvider.ts';
import { FakeProvider } from './testing/fakeProvider.ts';
import {
  answering,
  type InfisicalStandIn,
  STAND_IN_PROJECT,
  silence,
  startInfisicalStandIn,
} from './testing/infisicalStandIn.ts';

const VALUES = { DB_PASSWORD: 'hunter2-hunter2', REGION: 'eu', EMPTY: '', 'not a name': 'x' };
const USABLE = { DB_PASSWORD: 'hunter2-hunter2', REGION: 'eu' };
const PLACE = { projectId: STAND_IN_PROJECT, environment: 'dev', path: '/' };

let standIn: InfisicalStandIn;
beforeAll(async () => {
  standIn = await startInfisicalStandIn({ 'dev /': VALUES, 'prod /app': { A: 'x' } });
});
afterAll(() => standIn.close());
beforeEach(() => {
  standIn.answer = null;
  standIn.asked.length = 0;
});

const real = (options: Partial<Parameters<typeof createInfisical>[0]> = {}): SecretProvider =>
  createInfisical({
    baseUrl: standIn.url,
    credential: { kind: 'token', token: standIn.token },
    timeoutSeconds: 5,
    ...options,
  });
const ask = (provider: SecretProvider, place = PLACE, signal = new AbortController().signal) =>
  provider.fetch(place, signal);

describe.each([
  ['Infisical', () => real()],
  ['the fake', () => new FakeProvider(VALUES)],
])('%s fulfils the contract of a secret provider', (_name, make) => {
  it('[SE-7] returns values that an environment can hold', async () => {
    expect(await ask(make())).toEqual({ kind: 'values', values: USABLE });
  });

  it('[SE-9] reports with a message that it was stopped', async () => {
    expect(await ask(make(), PLACE, AbortSignal.abort())).toEqual({
      kind: 'problem',
      problem: 'The fetch was stopped.',
    });
  });
});

describe('Infisical', () => {
  it('[SE-7] is queried for project, environment and path, regardless of the path in its address', async () => {
    const provider = real({ baseUrl: `${standIn.url}/api/` });
    expect(await ask(provider, { ...PLACE, environment: 'prod', path: '/app' })).toEqual({
      kind: 'values',
      values: { A: 'x' },
    });
    expect(standIn.asked).toEqual([
      `/api/v3/secrets/raw?workspaceId=${STAND_IN_PROJECT}&environment=prod&secretPath=%2Fapp&expandSecretReferences=true&include_imports=true`,
    ]);
  });

  it('[SE-7] its own secrets override imported ones, and hidden values are not used', async () => {
    const one = (secretKey: string, secretValue: string, more = {}) => ({ secretKey, secretValue, ...more });
    const imports = [{ secrets: [one('A', 'first'), one('B', 'first')] }, { secrets: [one('B', 'last')] }];
    const hidden = one('H', '<hidden-by-infisical>', { secretValueHidden: true });
    standIn.answer = answering(200, JSON.stringify({ secrets: [one('A', 'own'), hidden], imports }));
    expect(await ask(real())).toEqual({ kind: 'values', values: { A: 'own', B: 'last' } });
  });

  const host = () => new URL(standIn.url).host;
  it.each([
    ['refuses the token', answering(401), () => `${host()} does not accept this server's token (401).`],
    [
      'forbids the place',
      answering(403),
      () => `This server's token may not read dev/ of ${STAND_IN_PROJECT} (403).`,
    ],
    [
      'does not know the place',
      answering(404),
      () => `${host()} has no dev/ in the project ${STAND_IN_PROJECT} (404).`,
    ],
    [
      'is reached (429). Try again in a minute.',
      answering(429),
      () => `The rate limit of ${host()} is reached (429). Try again in a minute.`,
    ],
    [
      'fails',
      answering(500, 'st.secret-in-a-page'),
      () => `${host()} returned an error (500). Try again later.`,
    ],
    ['refuses otherwise', answering(418), () => `${host()} refused (418).`],
    [
      'sends elsewhere',
      answering(302, '', { location: 'http://127.0.0.2:1/' }),
      () => `${host()} redirects to another address (302). The token is not sent there.`,
    ],
    [
      'answers no JSON',
      answering(200, '<html>'),
      () => `The response of ${host()} is not a list of secrets.`,
    ],
    [
      'answers other JSON',
      answering(200, '{"secrets":[{"key":1}]}'),
      () => `The response of ${host()} is not a list of secrets.`,
    ],
    ['sends too much', answering(200, ' '.repeat(5 * 1024 ** 2)), () => `${host()} sent more than 4 MiB.`],
  ])('[SE-9] that %s is reported with a message, without its content', async (_what, answer, message) => {
    standIn.answer = answer;
    expect(await ask(real())).toEqual({ kind: 'problem', problem: message() });
  });

  it('[SE-9] that never answers is cancelled by a timeout', async () => {
    standIn.answer = silence;
    expect(await ask(real({ timeoutSeconds: 0.05 }))).toEqual({
      kind: 'problem',
      problem: `${host()} did not respond within 0.05 s.`,
    });
  });

  it('[SE-9] that stops in the middle of its answer is cancelled by a timeout', async () => {
    standIn.answer = (_request, response) => void response.writeHead(200).write('{"secrets":[');
    expect(await ask(real({ timeoutSeconds: 0.05 }))).toMatchObject({
      problem: `${host()} did not respond within 0.05 s.`,
    });
  });

  it('[SE-9] that cannot be reached is named with the reason', async () => {
    const stopped = await startInfisicalStandIn({});
    await stopped.close();
    const { host: where } = new URL(stopped.url);
    expect(await ask(real({ baseUrl: stopped.url }))).toEqual({
      kind: 'problem',
      problem: `${where} could not be reached: connect ECONNREFUSED ${where}`,
    });
  });

  it('[SE-9] without a token no request is sent', async () => {
    expect(await ask(real({ credential: null }))).toEqual({
      kind: 'problem',
      problem: expect.stringMatching(
        /^This server has no credential for Infisical: set INFISICAL_TOKEN, or /,
      ),
    });
    expect(standIn.asked).toEqual([]);
  });
});

describe('a machine identity of Infisical', () => {
  const identity = (more: Partial<InfisicalStandIn['identity']> = {}) =>
    real({ credential: { kind: 'identity', ...standIn.identity, ...more }, timeoutSeconds: 0.5 });
  const host = () => new URL(standIn.url).host;
  const LOGIN = '/api/v1/auth/universal-auth/login';
  const pathsAsked = () => standIn.asked.map((url) => url.split('?')[0]);
  beforeEach(() => {
    standIn.expiresIn = 7200;
  });

  it('[SE-7] [SE-15] gets a token by its id and secret, and uses it while it is valid', async () => {
    const provider = identity();
    expect(await ask(provider)).toEqual({ kind: 'values', values: USABLE });
    expect(await ask(provider)).toEqual({ kind: 'values', values: USABLE });
    expect(pathsAsked()).toEqual([LOGIN, '/api/v3/secrets/raw', '/api/v3/secrets/raw']);
  });

  it('[SE-15] requests another token before the last one expires', async () => {
    standIn.expiresIn = 20;
    const provider = identity();
    await ask(provider);
    await ask(provider);
    expect(pathsAsked().filter((path) => path === LOGIN)).toHaveLength(2);
  });

  it('[SE-15] requests another token once if the last one was revoked early', async () => {
    const provider = identity();
    await ask(provider);
    standIn.asked.length = 0;
    const refusing = answering(401, '{}');
    let refusals = 0;
    standIn.answer = (request, response) => {
      if (++refusals === 1) refusing(request, response);
      else {
        standIn.answer = null;
        response.writeHead(200).end(JSON.stringify({ accessToken: standIn.token, expiresIn: 60 }));
      }
    };
    expect(await ask(provider)).toEqual({ kind: 'values', values: USABLE });
    expect(pathsAsked()).toEqual(['/api/v3/secrets/raw', LOGIN, '/api/v3/secrets/raw']);
  });

  it('[SE-9] [SE-15] with a wrong secret is refused with a message that does not contain it', async () => {
    expect(await ask(identity({ clientSecret: 'wrong-hush' }))).toEqual({
      kind: 'problem',
      problem: `${host()} does not accept this server's client id and secret (401).`,
    });
    expect(pathsAsked()).toEqual([LOGIN]);
  });

  it.each([
    ['fails', answering(500, 'hush'), () => `${host()} returned an error (500). Try again later.`],
    [
      'is reached (429). Try again in a minute.',
      answering(429),
      () => `The rate limit of ${host()} is reached (429). Try again in a minute.`,
    ],
    [
      'sends elsewhere',
      answering(307, '', { location: 'http://127.0.0.2:1/' }),
      () => `${host()} redirects to another address (307). Client id and secret are not sent there.`,
    ],
    [
      'answers no token',
      answering(200, '{"accessToken":""}'),
      () => `The login response of ${host()} contains no token.`,
    ],
    ['never answers', silence, () => `${host()} did not respond within 0.5 s.`],
  ])('[SE-9] [SE-15] whose login %s is reported with a message', async (_what, answer, message) => {
    standIn.answer = answer;
    expect(await ask(identity())).toEqual({ kind: 'problem', problem: message() });
  });
});

describe('the settings that a notebook may use', () => {
  const managers = createSecretManagers([new FakeProvider({ A: 'a' })]);
  const refused = (config: Record<string, string>) => managers.whyRefused(config);

  it.each([
    ['no address', {}],
    ['the configured one', { base_url: 'https://secrets.example' }],
    ['the same, in another spelling', { base_url: 'HTTPS://Secrets.Example:443/api/' }],
  ])('[SE-8] %s', (_what, more) => {
    expect(refused({ provider: 'infisical', ...more })).toBe(null);
  });

  it.each([
    ['another host', { base_url: 'https://evil.example' }, 'https://evil.example/'],
    ['another port', { base_url: 'https://secrets.example:8443' }, 'https://secrets.example:8443/'],
    ['another scheme', { base_url: 'http://secrets.example' }, 'http://secrets.example/'],
    [
      'a name in front of a host',
      { base_url: 'https://secrets.example@evil.example' },
      'https://evil.example/',
    ],
    ['a password in it', { base_url: 'https://a:b@secrets.example' }, 'https://secrets.example/'],
    ['no address', { base_url: 'secrets.example' }, '"secrets.example"'],
  ])('[SE-8] not %s, and nothing is sent there', async (_what, more, expected) => {
    const fake = new FakeProvider({ A: 'a' });
    const config = { provider: 'infisical', project_id: 'p', ...more };
    const problem = `The address ${expected} is not the one this server is configured for (https://secrets.example). Leave it out, or start the server with that address.`;
    expect(refused(config)).toBe(problem);
    const { signal } = new AbortController();
    expect(await createSecretManagers([fake]).fetch(config, signal)).toMatchObject({ problem });
    expect(fake.asked).toEqual([]);
  });

  it('[SE-8] another manager, and settings without one, are refused', () => {
    expect(refused({ provider: 'vault' })).toBe(
      'This server does not support the secret manager "vault", only "infisical".',
    );
    expect(refused({ project_id: 'p' })).toBe(
      'No secret manager is named. This server supports "infisical".',
    );
  });

  it('[SE-8] the defaults: the environment dev, the path /; a project is required', async () => {
    const fake = new FakeProvider({ A: 'a' });
    const { fetch } = createSecretManagers([fake]);
    const { signal } = new AbortController();
    await fetch({ provider: 'infisical', project_id: 'p' }, signal);
    expect(fake.asked).toEqual([{ projectId: 'p', environment: 'dev', path: '/' }]);
    expect(await fetch({ provider: 'infisical' }, signal)).toMatchObject({
      problem: 'No project is named: set project_id.',
    });
  });
});
