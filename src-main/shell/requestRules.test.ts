import { expect, it } from 'vitest';
import { LAUNCH_TOKEN_HEADER } from '../../src-shared/shell/handshake.ts';
import { carriesToken, guardRequests, isPermissionAllowed } from './requestRules.ts';

const OWN = 'http://127.0.0.1:4000';

it.each([
  ['the page itself', `${OWN}/`, null, true],
  ['requests of the page', `${OWN}/v1/notebooks/sessions`, true, true],
  ['its socket', 'ws://127.0.0.1:4000/v1/notebooks/ws/a', true, true],
  ['a worker', `${OWN}/assets/worker.js`, null, true],
  ['the output frame', `${OWN}/outputFrame.html`, false, true],
  ['the script of the output frame', `${OWN}/outputFrame.js?v=1`, false, true],
  ['an output frame that requests something else', `${OWN}/v1/notebooks/sessions`, false, false],
  ['a frame’s socket', 'ws://127.0.0.1:4000/outputFrame.html', false, false],
  ['a frame with a look-alike', `${OWN}/v1/outputFrame.html`, false, false],
  ['another port', 'http://127.0.0.1:4001/', true, false],
  ['somewhere else', 'https://example.org/', true, false],
  ['no address of a server', 'data:text/html,x', true, false],
] as const)('[DK-14] whether the token is sent with %s', (_name, url, topFrame, is) => {
  expect(carriesToken({ url, topFrame }, OWN)).toBe(is);
});

/** A session's web requests, called directly. */
function requests(origin: string | null) {
  type Listener = (details: never, answer: (response: object) => void) => void;
  const listeners: Record<string, Listener> = {};
  const keep =
    (name: string) =>
    (listener: unknown): void => {
      listeners[name] = listener as Listener; // as guardRequests gives them
    };
  const token = 't'.repeat(43);
  guardRequests(
    { onBeforeRequest: keep('request'), onBeforeSendHeaders: keep('headers') } as never, // two of its functions
    { origin: () => origin, token },
  );
  return (name: 'request' | 'headers', details: object) => {
    let answered: object = {};
    listeners[name]?.(details as never, (response) => {
      answered = response;
    });
    return answered;
  };
}

it('[DK-17] requests to other addresses are refused, and all requests until the server is up', () => {
  const ask = requests(OWN);
  expect(ask('request', { url: `${OWN}/` })).toEqual({ cancel: false });
  expect(ask('request', { url: 'https://example.org/' })).toEqual({ cancel: true });
  expect(requests(null)('request', { url: `${OWN}/` })).toEqual({ cancel: true });
});

it('[DK-14] headers are unchanged, and the token is added only for the page', () => {
  const ask = requests(OWN);
  const page = { url: `${OWN}/`, requestHeaders: { Accept: '*/*' }, frame: { parent: null } };
  expect(ask('headers', page)).toEqual({
    requestHeaders: { Accept: '*/*', [LAUNCH_TOKEN_HEADER]: 't'.repeat(43) },
  });
  const inside = { ...page, frame: { parent: {} } };
  expect(ask('headers', inside)).toEqual({ requestHeaders: { Accept: '*/*' } });
});

it.each([
  ['clipboard-sanitized-write', true, `${OWN}/`, true],
  ['clipboard-sanitized-write', false, `${OWN}/`, false],
  ['clipboard-sanitized-write', true, 'https://example.org/', false],
  ['clipboard-read', true, `${OWN}/`, false],
  ['media', true, `${OWN}/`, false],
  ['geolocation', true, `${OWN}/`, false],
  ['notifications', true, `${OWN}/`, false],
  ['openExternal', true, `${OWN}/`, false],
  ['fullscreen', true, `${OWN}/`, true],
  ['fullscreen', false, `${OWN}/`, false],
  ['fullscreen', true, 'https://example.org/', false],
])('[DK-15] %s in the top frame (%s) of %s: %s', (permission, topFrame, requestingUrl, is) => {
  expect(isPermissionAllowed(permission, { requestingUrl, topFrame, origin: OWN })).toBe(is);
});
