import { execFileSync, spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { FuseState, FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { ACTIVE_PROBE, PROBE_RESULTS } from '../support/activeProbe.ts';
import { APP, expect, menu, type Person, type Started, serverOf, statusOf, test } from './desktopApp.ts';

/** Tests the security requirements of docs/desktop.md on the packaged app, several of them with one start. */

async function webSecurity({ app, page }: Started): Promise<void> {
  const preferences = await app.evaluate(({ BrowserWindow }) =>
    // The actual settings of the window; the types lack this function.
    BrowserWindow.getAllWindows().map(({ webContents }) =>
      (
        webContents as unknown as { getLastWebPreferences(): Record<string, unknown> }
      ).getLastWebPreferences(),
    ),
  );
  expect(preferences).toHaveLength(1);
  expect(preferences[0]).toMatchObject({
    contextIsolation: true,
    sandbox: true,
    nodeIntegration: false,
    nodeIntegrationInSubFrames: false,
    webSecurity: true,
    allowRunningInsecureContent: false,
    webviewTag: false,
  });
  // Some versions of Electron do not list these; if listed, they are off.
  for (const name of ['nodeIntegrationInWorker', 'spellcheck', 'experimentalFeatures']) {
    expect(preferences[0]?.[name] ?? false).toBe(false);
  }
  const reach = await page.evaluate(() =>
    ['require', 'process', 'module', 'Buffer', 'electron', 'ipcRenderer', '__dirname'].filter(
      (name) => name in window,
    ),
  );
  expect(reach).toEqual([]);
}

async function noInlineScript({ page }: Started): Promise<void> {
  const policy = await page.evaluate(async () => (await fetch('/')).headers.get('content-security-policy'));
  const scripts = /script-src ([^;]*)/.exec(policy ?? '')?.[1];
  expect(scripts).toBe("'self'");
  const ran = await page.evaluate(async () => {
    const script = document.createElement('script');
    script.textContent = 'window.ranInline = true';
    document.head.append(script);
    const image = document.createElement('img');
    image.setAttribute('onerror', 'window.ranInline = true');
    const failed = new Promise((resolve) => image.addEventListener('error', resolve));
    image.src = '/no-such-picture.png';
    document.body.append(image);
    await failed;
    return 'ranInline' in window;
  });
  expect(ran).toBe(false);
}

async function denials({ page }: Started): Promise<void> {
  const answers = await page.evaluate(async () => {
    const state = async (name: string): Promise<string> =>
      (await navigator.permissions.query({ name: name as PermissionName })).state;
    const refused = (promise: Promise<unknown>): Promise<string> =>
      promise.then(
        () => 'given',
        (error: unknown) => (error instanceof Error ? error.name : String(error)),
      );
    return {
      camera: await state('camera'),
      microphone: await state('microphone'),
      geolocation: await state('geolocation'),
      notifications: await state('notifications'),
      clipboardRead: await state('clipboard-read'),
      media: await refused(navigator.mediaDevices.getUserMedia({ audio: true })),
      place: await refused(
        new Promise((resolve, reject) =>
          navigator.geolocation.getCurrentPosition(resolve, (error) => reject(new Error(error.message))),
        ),
      ),
      copy: await refused(navigator.clipboard.writeText('copied')),
    };
  });
  expect(answers).toMatchObject({
    camera: 'denied',
    microphone: 'denied',
    geolocation: 'denied',
    notifications: 'denied',
    clipboardRead: 'denied',
    copy: 'given',
  });
  expect(answers.media).not.toBe('given');
  expect(answers.place).not.toBe('given');
}

async function noDataForOthers({ app, page }: Started, person: Person): Promise<void> {
  const { url, token } = serverOf(person);
  for (const path of ['/', '/health', '/v1/notebooks/sessions']) {
    expect((await fetch(`${url}${path}`)).status).toBe(401);
  }
  expect(token.length).toBeGreaterThanOrEqual(43);
  const seen = [
    page.url(),
    person.log(),
    await page.content(),
    await page.evaluate(() => JSON.stringify([document.cookie, { ...localStorage }, { ...sessionStorage }])),
    execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }),
    JSON.stringify(await app.evaluate(() => process.argv)),
  ].join('\n');
  expect(seen).not.toContain(token);
}

async function dumpsStay({ app }: Started, person: Person): Promise<void> {
  const settings = await app.evaluate(({ crashReporter, app: it }) => ({
    uploads: crashReporter.getUploadToServer(),
    dumps: it.getPath('crashDumps'),
  }));
  expect(settings.uploads).toBe(false);
  expect(settings.dumps.startsWith(person.home)).toBe(true);
}

async function staysAtHome({ app, page }: Started): Promise<void> {
  await app.evaluate(({ shell }) => {
    const opened: string[] = [];
    Object.assign(globalThis, { opened });
    shell.openExternal = (url: string) => {
      opened.push(url);
      return Promise.resolve();
    };
  });
  const before = page.url();
  const ways = [
    'https://example.org/page',
    'mailto:somebody@example.org',
    'file:///etc/passwd',
    'data:text/html,hello',
    'chrome://gpu',
    'smb://host/share',
    'cellar://open?path=/etc',
    'javascript:window.ranInline=true',
    `${new URL(before).origin.replace('127.0.0.1', 'localhost')}/`,
  ];
  for (const url of ways) {
    await page.evaluate((to) => {
      window.open(to);
      const link = document.createElement('a');
      link.href = to;
      document.body.append(link);
      link.click();
      const blank = document.createElement('a');
      blank.href = to;
      blank.target = '_blank';
      document.body.append(blank);
      blank.click();
    }, url);
  }
  const opened = () =>
    app.evaluate(() => [...new Set((globalThis as unknown as { opened: string[] }).opened)]);
  await expect.poll(opened).toContain('mailto:somebody@example.org');
  await expect.poll(opened).toContain('https://example.org/page');
  for (const url of await opened()) expect(url).toMatch(/^(https?:|mailto:)/);
  expect(page.url()).toBe(before);
  expect(await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1);
  expect(await page.evaluate(() => 'ranInline' in window)).toBe(false);
  expect(
    await page.evaluate(() => {
      const view = document.createElement('webview');
      return 'getWebContentsId' in view;
    }),
  ).toBe(false);
}

async function bridgeValidates({ app, page }: Started): Promise<void> {
  const names = await page.evaluate(() =>
    Object.keys((window as unknown as Record<string, object>)['cellarShell'] ?? {}),
  );
  expect(names.sort()).toEqual([
    'chooseNewNotebook',
    'chooseNotebook',
    'grantDropped',
    'keepWorkerToken',
    'newWindow',
    'onCommand',
    'onOpenPath',
    'platform',
    'remember',
    'setRunState',
    'trustNotebook',
    'workerTokens',
  ]);
  await page.evaluate(() => {
    const shell = (window as unknown as { cellarShell: Record<string, (value: unknown) => void> })
      .cellarShell;
    shell['remember']?.({ path: 'relative', name: 'x' });
    shell['remember']?.({ path: 7, name: {} });
    shell['setRunState']?.({ running: -1, title: null, seconds: null, failed: false });
    shell['newWindow']?.('../x');
    shell['newWindow']?.(['a']);
  });
  const recents = await page.evaluate(async () => {
    const shell = (window as unknown as { cellarShell: Record<string, (value: unknown) => unknown> })
      .cellarShell;
    await shell['remember']?.({ path: '/somewhere', name: 'Real & true' });
    return true;
  });
  expect(recents).toBe(true);
  const labels = () =>
    app.evaluate(({ Menu }) =>
      Menu.getApplicationMenu()
        ?.items.find(({ label }) => label === 'File')
        ?.submenu?.items.find(({ label }) => label === 'Open recent')
        ?.submenu?.items.map(({ label }) => label),
    );
  await expect.poll(labels).toEqual(['Real && true', '', 'Clear list']);
  expect(await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1);
}

/** Checks that use one window of a new start. */
const CHECKS: readonly (readonly [name: string, check: (one: Started, person: Person) => Promise<void>])[] = [
  ['[DK-12] windows have all web security settings, also as they report them', webSecurity],
  ['[DK-13] no inline script runs', noInlineScript],
  ['[DK-15] permissions, checks and devices are denied, except writing to the clipboard', denials],
  [
    '[DK-1] [DK-2] another program that knows the port gets no data; the token is in no address, argument or log',
    noDataForOthers,
  ],
  ['[DK-18] crash dumps stay on this machine', dumpsStay],
  [
    '[DK-16] a window cannot leave its origin or open another one, and passes on only web and mail addresses',
    staysAtHome,
  ],
  ['[DK-8] the bridge is a list of calls that validate their arguments', bridgeValidates],
];

test('[DK-1] [DK-12] [DK-13] [DK-15] [DK-16] [DK-18] a window and its server give nothing away', async ({
  person,
  start,
}) => {
  const started = await start();
  for (const [name, check] of CHECKS) await test.step(name, () => check(started, person));
});

test('[DK-14] output runs in a frame of another origin without network, bridge and token', async ({
  person,
  start,
}) => {
  const bridge = `${ACTIVE_PROBE}`.replace(
    "attempt('parent',",
    "attempt('text', () => 'cellarShell' in window ? 'a bridge' : 'no bridge'); attempt('parent',",
  );
  const dir = await person.notebook('active', [{ id: 'active', source: bridge }]);
  const { app, page } = await start({ args: [dir] });
  await expect(statusOf(page, 'active')).toBeVisible();
  await menu(app, 'run.all');
  await expect(statusOf(page, 'active')).toHaveAttribute('data-status', 'ready', { timeout: 60_000 });
  const frame = page.frameLocator('[data-cell-id=active] iframe');
  await expect(frame.locator('#text')).toHaveText('no bridge');
  await expect
    .poll(() => frame.locator('dd').evaluateAll((all) => all.map((one) => `${one.id} ${one.textContent}`)))
    .toEqual(PROBE_RESULTS);
});

test('[DK-3] remembering a folder grants no access', async ({ person, start }) => {
  const dir = await person.notebook('not-chosen');
  const first = await start();
  const open = (page: typeof first.page) =>
    page.evaluate(
      async (path) =>
        (
          await fetch('/v1/notebooks/open', {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({ path }),
          })
        ).status,
      dir,
    );
  await first.page.evaluate((path) => {
    const shell = (window as unknown as { cellarShell: Record<string, (value: unknown) => void> })
      .cellarShell;
    shell['remember']?.({ path, name: 'x' });
  }, dir);
  expect(await open(first.page)).toBe(400);
  await first.quit();
  const second = await start();
  expect(await open(second.page)).toBe(400);
});

test('[DK-17] no network requests at start, nor while a notebook runs', async ({ person, start }) => {
  const requests: string[] = [];
  // Every request to another machine would arrive at this proxy.
  const proxy = createServer((request, response) => {
    requests.push(request.url ?? '');
    response.writeHead(502).end();
  });
  proxy.on('connect', (request, socket) => {
    requests.push(request.url ?? '');
    socket.destroy();
  });
  await new Promise<void>((ready) => proxy.listen(0, '127.0.0.1', ready));
  const { port } = proxy.address() as AddressInfo;
  try {
    const dir = await person.notebook('quiet');
    const { app, page } = await start({ args: [`--proxy-server=http://127.0.0.1:${port}`, dir] });
    await expect(statusOf(page, 'answer')).toBeVisible();
    expect(requests).toEqual([]);
    // The proxy works: a request of another session arrives there. (The session of the windows would block it earlier.)
    await app.evaluate(
      ({ net, session }) =>
        new Promise((resolve) => {
          const probe = net.request({
            url: 'http://asked.invalid/',
            session: session.fromPartition('probe'),
          });
          probe.on('error', resolve);
          probe.on('response', resolve);
          probe.end();
        }),
    );
    expect(requests).toEqual(['http://asked.invalid/']);
  } finally {
    await new Promise((closed) => proxy.close(closed));
  }
});

test('[DK-19] [SG-29] the package’s fuses are set', async () => {
  const wire = await getCurrentFuseWire(APP);
  const named = (option: FuseV1Options): string | undefined => {
    const state = wire[option];
    return state === undefined ? undefined : FuseState[state];
  };
  expect({
    runAsNode: named(FuseV1Options.RunAsNode),
    nodeOptions: named(FuseV1Options.EnableNodeOptionsEnvironmentVariable),
    integrity: named(FuseV1Options.EnableEmbeddedAsarIntegrityValidation),
    onlyAsar: named(FuseV1Options.OnlyLoadAppFromAsar),
    cookies: named(FuseV1Options.EnableCookieEncryption),
    // Playwright needs this fuse, so it is enabled only in the build for tests.
    inspect: named(FuseV1Options.EnableNodeCliInspectArguments),
  }).toEqual({
    runAsNode: 'DISABLE',
    nodeOptions: 'DISABLE',
    integrity: 'ENABLE',
    onlyAsar: 'ENABLE',
    cookies: 'ENABLE',
    inspect: 'ENABLE',
  });
  // The fuse is effective: as Node the program would print 42 and exit with 0; as the app it fails without a screen.
  const asNode = spawnSync(APP, ['-p', '6*7'], {
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1', DISPLAY: '', WAYLAND_DISPLAY: '' },
    encoding: 'utf8',
    timeout: 120_000,
  });
  expect(asNode.stdout).not.toContain('42');
  expect(asNode.status).not.toBe(0);
});

test('[DK-20] the package contains uv and the server, and no other executables', async ({ person }) => {
  const resources = join(APP, '../resources');
  expect(uvVersion(resources, person)).toMatch(/^uv \d+\./);
});

function uvVersion(resources: string, person: Person): string {
  return execFileSync(join(resources, `uv/${process.platform}-${process.arch}/uv`), ['--version'], {
    cwd: person.home,
    encoding: 'utf8',
  });
}
