import { expect, it } from 'vitest';
import { sessionId } from '../../../src-shared/notebook/ids.ts';
import { createCellClients } from '../../session/effects/cellClients.ts';
import { judgeCellToken } from './cellToken.ts';

const SID = sessionId('5b2c7d1e-0000-4000-8000-000000000001');
const hidden: string[] = [];
const clients = createCellClients(null);
clients.setAddress('http://127.0.0.1:1/');
const client = clients.open(SID, (token) => hidden.push(token));
const access = client.access();
const { authorization = '' } = access.headers;
const judge = (method: string, url: string, shown = authorization) =>
  judgeCellToken({ method, url, authorization: shown }, clients);

it.each<readonly [string, string, string]>([
  ['POST', '/v1/materialize', 'admitted'],
  ['POST', '/v1/artifacts/materialize', 'admitted'],
  ['GET', '/v1/streams/a', 'admitted'],
  ['GET', '/v1/builds/a', 'admitted'],
  ['GET', '/v1/builds/a/manifest', 'forbidden'],
  ['PUT', '/v1/artifacts', 'admitted'],
  ['GET', '/v1/artifacts', 'forbidden'],
  ['GET', '/v1/artifacts/a/v/1', 'admitted'],
  ['DELETE', '/v1/artifacts/a/v/1', 'forbidden'],
  ['GET', '/v1/artifacts/a/v/1/data?x', 'admitted'],
  ['GET', '/v1/artifacts/a/v/1/lineage', 'forbidden'],
  ['PUT', '/v1/artifacts/a/v/1/tags', 'admitted'],
  ['POST', '/v1/names', 'admitted'],
  ['GET', '/v1/names/a/b', 'admitted'],
  ['DELETE', '/v1/names/a/b', 'forbidden'],
  ['PUT', '/v1/names/a/b/aliases/c', 'admitted'],
  ['GET', '/v1/names/../notebooks/config', 'forbidden'],
  ['GET', '/v1/names/%2E%2e/notebooks/config', 'forbidden'],
  ['POST', `/v1/notebooks/${SID}/artifacts/a/v/1/promote`, 'admitted'],
  ['POST', '/v1/notebooks/other/artifacts/a/v/1/promote', 'forbidden'],
  ['GET', `/v1/notebooks/${SID}/artifacts`, 'forbidden'],
  ['GET', '/', 'forbidden'],
])('[DP-86] %s %s is %s', (method, url, verdict) => expect(judge(method, url)).toBe(verdict));

it('[DP-86] other credentials are not judged, unknown tokens are refused', () => {
  expect(judge('GET', '/', 'Bearer something')).toBe('none');
  expect(judgeCellToken({ method: 'GET', url: '/', authorization: undefined }, clients)).toBe('none');
  expect(judge('POST', '/v1/materialize', `${authorization}x`)).toBe('unknown');
  expect(hidden).toEqual([authorization.slice('Bearer '.length)]);
});

it('[DP-86] a token is valid until its notebook closes, and each opening of a notebook has another one', () => {
  const second = clients.open(SID, () => undefined);
  const other = second.access().headers['authorization'] ?? '';
  expect(other).not.toBe(authorization);
  second.close();
  expect([judge('POST', '/v1/names', other), judge('POST', '/v1/names')]).toEqual(['unknown', 'admitted']);
  expect(second.access().headers['authorization']).toBe(other);
  expect(judge('POST', '/v1/names', other)).toBe('unknown');
});

it('[DP-87] a shared store gets its own headers, and never the token', () => {
  const shared = createCellClients({ url: 'https://store', headers: { 'x-key': 'k' } });
  const at = () => shared.open(SID, () => undefined).access();
  expect(at()).toEqual({ url: 'https://store', headers: { 'x-key': 'k' }, promote: null });
  shared.setAddress('http://127.0.0.1:1');
  expect(at()).toEqual({
    url: 'https://store',
    headers: { 'x-key': 'k' },
    promote: {
      url: `http://127.0.0.1:1/v1/notebooks/${SID}/artifacts`,
      headers: { authorization: expect.stringMatching(/^Bearer svc_cell_/) },
    },
  });
  expect(
    createCellClients(null)
      .open(SID, () => undefined)
      .access().url,
  ).toBe('');
});
