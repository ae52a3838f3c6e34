import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from './desktopApp.ts';

/** Tests system permissions that a page may request but must not get, requested by a script after a user gesture. */

test('[DK-15] a page gets no device, and no chooser is shown', async ({ start }) => {
  const { app, page } = await start();
  await app.evaluate(({ BrowserWindow, session }) => {
    const offered: string[] = [];
    Object.assign(globalThis, { offered });
    for (const event of ['select-usb-device', 'select-hid-device', 'select-serial-port'] as const) {
      session.defaultSession.on(event as 'select-hid-device', () => void offered.push(event));
    }
    for (const { webContents } of BrowserWindow.getAllWindows()) {
      webContents.on('select-bluetooth-device', () => void offered.push('select-bluetooth-device'));
    }
  });
  await page.evaluate(() => {
    const button = document.createElement('button');
    button.textContent = 'Ask for devices';
    button.style.cssText = 'position: fixed; inset: 0 auto auto 0; z-index: 9999';
    document.body.append(button);
    const asks: Record<string, () => Promise<unknown>> = {};
    const has = navigator as unknown as Record<string, Record<string, (what?: object) => Promise<unknown>>>;
    for (const [kind, ask, what] of [
      ['usb', 'requestDevice', { filters: [] }],
      ['hid', 'requestDevice', { filters: [] }],
      ['serial', 'requestPort', {}],
      ['bluetooth', 'requestDevice', { acceptAllDevices: true }],
    ] as const) {
      asks[kind] = async () => has[kind]?.[ask]?.(what);
    }
    button.addEventListener('click', () => {
      const results = Object.entries(asks).map(async ([kind, ask]) => {
        const answer = await ask().then(
          (got) =>
            Array.isArray(got) && got.length === 0 ? 'none' : got === undefined ? 'not there' : 'given',
          (error: unknown) => (error instanceof Error ? 'refused' : String(error)),
        );
        return [kind, answer];
      });
      Object.assign(window, { given: Promise.all(results) });
    });
  });
  await page.getByRole('button', { name: 'Ask for devices' }).click();
  const given = await page.evaluate(
    async () => await (window as unknown as { given: Promise<[string, string][]> }).given,
  );
  expect(given.map(([kind]) => kind)).toEqual(['usb', 'hid', 'serial', 'bluetooth']);
  for (const [kind, answer] of given) expect(`${kind} ${answer}`).toMatch(/ (none|refused|not there)$/);
  expect(await app.evaluate(() => (globalThis as unknown as { offered: string[] }).offered)).toEqual([]);
});

test('[DK-15] a page cannot show notifications: the permission is denied, and an attempt fails', async ({
  start,
}) => {
  const { page } = await start();
  const answer = await page.evaluate(async () => {
    const permission = await Notification.requestPermission();
    const shown = await new Promise((resolve) => {
      const notification = new Notification('from a page');
      notification.addEventListener('show', () => resolve('shown'));
      notification.addEventListener('error', () => resolve('failed'));
    });
    return [permission, Notification.permission, shown];
  });
  expect(answer).toEqual(['denied', 'denied', 'failed']);
});

test('[DK-16] a redirect by the app’s own server cannot leave the origin', async ({ start }) => {
  const requests: string[] = [];
  const elsewhere = createServer((request, response) => {
    requests.push(request.url ?? '');
    response.end('elsewhere');
  });
  await new Promise<void>((ready) => elsewhere.listen(0, '127.0.0.1', ready));
  const target = `http://localhost:${(elsewhere.address() as AddressInfo).port}/led-here`;
  try {
    const { app, page } = await start();
    await app.evaluate(({ shell }) => {
      const opened: string[] = [];
      Object.assign(globalThis, { opened });
      shell.openExternal = (url: string) => {
        opened.push(url);
        return Promise.resolve();
      };
    });
    await page.route('**/leads-elsewhere', (route) =>
      route.fulfill({ status: 302, headers: { location: target } }),
    );
    const before = page.url();
    await page.evaluate(() => location.assign('/leads-elsewhere'));
    // Only the redirect contains the target; the address that the page opened is on the app's own server.
    await expect
      .poll(() => app.evaluate(() => (globalThis as unknown as { opened: string[] }).opened))
      .toEqual([target]);
    await expect(page.locator('main').first()).toBeVisible();
    expect([page.url(), requests]).toEqual([before, []]);
  } finally {
    await new Promise((closed) => elsewhere.close(closed));
  }
});

test('[DK-16] no webview can be attached, not even by a window that allows the tag', async ({ start }) => {
  const { app, page } = await start();
  const address = page.url();
  const seen = await app.evaluate(async ({ BrowserWindow }, url) => {
    const window = new BrowserWindow({ show: false, webPreferences: { webviewTag: true } });
    const events: string[] = [];
    window.webContents.on(
      'will-attach-webview',
      (event) => void events.push(`asked, ${event.defaultPrevented}`),
    );
    window.webContents.on('did-attach-webview', () => void events.push('attached'));
    await window.loadURL(url);
    const upgraded = await window.webContents.executeJavaScript(`(() => {
      const view = document.createElement('webview');
      view.src = '/icon.svg';
      document.body.append(view);
      return 'getWebContentsId' in view;
    })()`);
    const startMs = Date.now();
    while (events.length === 0 && Date.now() - startMs < 10_000)
      await new Promise((soon) => setTimeout(soon, 50));
    window.destroy();
    return { upgraded, events };
  }, address);
  expect(seen).toEqual({ upgraded: true, events: ['asked, true'] });
});
