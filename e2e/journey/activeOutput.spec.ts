import { expect } from '@playwright/test';
import { openLive, statusOf, test } from '../support/realServerFixture.ts';

/** What an output may try; each attempt writes how it went into its own element. */
const PROBE = `
class Active:
    def _repr_html_(self):
        return '''
          <p id="text">not run</p>
          <dl>
            <dd id="origin"></dd><dd id="parent"></dd><dd id="top"></dd><dd id="storage"></dd><dd id="eval"></dd>
            <dd id="fetch"></dd><dd id="socket"></dd><dd id="image"></dd><dd id="script"></dd>
          </dl>
          <script>document.getElementById('text').textContent = 'changed by its script';</script>
          <script>
            const say = (id, word) => { document.getElementById(id).textContent = word; };
            const attempt = (id, act) => { try { say(id, String(act())); } catch (error) { say(id, error.name); } };
            attempt('origin', () => self.origin);
            attempt('parent', () => parent.document.title);
            attempt('top', () => { top.location = 'about:blank'; return 'moved'; });
            attempt('storage', () => localStorage.length);
            attempt('eval', () => eval('6 * 7'));
            const address = new URL('/health', location.href).href;
            fetch(address, { mode: 'no-cors' }).then(() => say('fetch', 'open'), () => say('fetch', 'closed'));
            attempt('socket', () => {
              const socket = new WebSocket(address.replace('http', 'ws'));
              socket.onopen = () => say('socket', 'open');
              socket.onerror = () => say('socket', 'closed');
              return '';
            });
            const image = new Image();
            image.onload = () => say('image', 'open');
            image.onerror = () => say('image', 'closed');
            image.src = new URL('/icon.svg?probe', location.href).href;
            const script = document.createElement('script');
            script.onload = () => say('script', 'open');
            script.onerror = () => say('script', 'closed');
            script.src = new URL('/assets/probe.js', location.href).href;
            document.head.append(script);
          </script>'''

Active()
`;

test('[WI-8] active output runs its scripts and reaches neither the page nor the server', async ({
  page,
  serveReal,
}) => {
  test.setTimeout(60_000);
  const { server, url } = await serveReal([{ id: 'active', source: PROBE }]);
  // A refused request is seen as one that failed; an answer would mean that it left.
  const answered: string[] = [];
  page.on('response', (response) => {
    if (/health|probe/.test(response.url())) answered.push(response.url());
  });
  const served: (string | null)[] = [];
  page.on('requestfinished', async (request) => {
    if (!request.url().endsWith('/outputFrame.html')) return;
    served.push((await (await request.response())?.headerValue('content-security-policy')) ?? null);
  });
  await openLive(page, url);
  await page.getByRole('button', { name: /^Run cell/ }).click();
  await expect(statusOf(page, 'active')).toHaveAttribute('data-status', 'ready', { timeout: 30_000 });

  const frame = page.frameLocator('[data-cell-id=active] iframe');
  await expect(frame.locator('#text')).toHaveText('changed by its script');
  await expect
    .poll(() => frame.locator('dd').evaluateAll((all) => all.map((one) => `${one.id} ${one.textContent}`)))
    .toEqual([
      'origin null',
      'parent SecurityError',
      'top SecurityError',
      'storage SecurityError',
      'eval 42',
      'fetch closed',
      'socket closed',
      'image closed',
      'script closed',
    ]);
  expect(answered).toEqual([]);
  expect(served[0]).toContain('sandbox allow-scripts');
  expect(page.url()).toBe(url);

  // Opened by itself, without our sandboxed frame around it, the document is as powerless.
  await page.goto(`${server.url}/outputFrame.html`);
  expect(await page.evaluate(() => self.origin)).toBe('null');
});
