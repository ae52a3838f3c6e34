import { createServer } from 'node:http';
import { expect, it } from 'vitest';
import { whyNotListening } from './whyNotListening.ts';

/** The system's error for a server that tries to listen there. */
function failure(at: { readonly host: string; readonly port: number }): Promise<unknown> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', resolve);
    server.listen(at, () => server.close(() => resolve(null)));
  });
}

it.each([
  [{ host: '192.0.2.1', port: 0 }, /192\.0\.2\.1 is not an address of this machine/],
  [{ host: 'no.such.host.invalid', port: 0 }, /no\.such\.host\.invalid was not found/],
])('[CL-16] %o is explained', async (at, message) => {
  expect(whyNotListening(await failure(at), at)).toMatch(message);
});

it.each([
  ['EADDRINUSE', 'port 80 is in use on h: choose another port'],
  ['EACCES', 'this user is not allowed to listen on port 80: choose one above 1023'],
  ['EMFILE', null],
])('[CL-16] %s', (code, message) => {
  expect(whyNotListening(Object.assign(new Error('listen'), { code }), { host: 'h', port: 80 })).toBe(
    message,
  );
});
