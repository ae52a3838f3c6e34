import { expect, it } from 'vitest';
import { denyPermissions, lockContents } from './lockdown.ts';

const OWN = 'http://127.0.0.1:4000';

/** A session that keeps the handlers it is given. */
function session() {
  const registered: Record<string, (...args: never[]) => unknown> = {};
  denyPermissions(
    {
      setPermissionRequestHandler: (handler) => Object.assign(registered, { request: handler }),
      setPermissionCheckHandler: (handler) => Object.assign(registered, { check: handler }),
      setDevicePermissionHandler: (handler) => Object.assign(registered, { device: handler }),
    },
    () => OWN,
  );
  const call = (name: string, ...args: unknown[]): unknown => registered[name]?.(...(args as never[]));
  return {
    request(permission: string, details: object): boolean | null {
      let granted: boolean | null = null;
      call('request', null, permission, (answer: boolean) => (granted = answer), details);
      return granted;
    },
    check: (permission: string, details: object) => call('check', null, permission, `${OWN}/`, details),
    device: (deviceType: string) => call('device', { deviceType, origin: OWN, device: {} }),
  };
}

it.each(['media', 'geolocation', 'notifications', 'clipboard-read', 'midi', 'hid', 'serial', 'openExternal'])(
  '[DK-15] %s is denied to our own page, for requests and checks',
  (permission) => {
    const { request, check } = session();
    expect(request(permission, { requestingUrl: `${OWN}/`, isMainFrame: true })).toBe(false);
    expect(check(permission, { isMainFrame: true })).toBe(false);
  },
);

it('[DK-15] the page itself may write to the clipboard, but no frame in it', () => {
  const { request, check } = session();
  const copy = 'clipboard-sanitized-write';
  expect(request(copy, { requestingUrl: `${OWN}/`, isMainFrame: true })).toBe(true);
  expect(request(copy, { requestingUrl: `${OWN}/`, isMainFrame: false })).toBe(false);
  expect([check(copy, { isMainFrame: true }), check(copy, { isMainFrame: false })]).toEqual([true, false]);
});

it.each(['hid', 'serial', 'usb'])('[DK-15] access to a %s device is denied', (type) => {
  expect(session().device(type)).toBe(false);
});

it.each([
  ['will-navigate', 'https://example.org/', true, ['https://example.org/']],
  ['will-redirect', 'https://example.org/', true, ['https://example.org/']],
  ['will-redirect', 'file:///etc/passwd', true, []],
  ['will-navigate', `${OWN}/#/open?path=%2Fa`, false, []],
  ['will-attach-webview', `${OWN}/`, true, []],
])('[DK-16] %s to %s is prevented: %s', (event, url, is, outside) => {
  const listeners = new Map<string, (event: { preventDefault(): void }, url: string) => void>();
  const opened: string[] = [];
  lockContents(
    {
      setWindowOpenHandler: () => undefined,
      on: (name, listener) => listeners.set(name, listener),
    },
    { origin: () => OWN, openExternal: (address) => opened.push(address) },
  );
  let prevented = false;
  listeners.get(event)?.({ preventDefault: () => (prevented = true) }, url);
  expect({ prevented, opened }).toEqual({ prevented: is, opened: outside });
});
