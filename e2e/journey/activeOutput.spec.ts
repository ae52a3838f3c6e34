/** Active output of a cell in a browser, against a real server: its scripts run, and reach neither page nor server. */

import { ACTIVE_PROBE, PROBE_RESULTS } from '../support/activeProbe.ts';
import { expect } from '../support/expect.ts';
import { openLive, statusOf, test } from '../support/realServerFixture.ts';

test('[WI-8] active output runs its scripts and reaches neither the page nor the server', async ({
  page,
  serveReal,
}) => {
  const { server, url } = await serveReal([{ id: 'active', source: ACTIVE_PROBE }]);
  // A blocked request fails without a response; a response would mean that it was sent.
  const responses: string[] = [];
  page.on('response', (response) => {
    if (/health|probe/.test(response.url())) responses.push(response.url());
  });
  const policies: (string | null)[] = [];
  page.on('requestfinished', async (request) => {
    if (!request.url().endsWith('/outputFrame.html')) return;
    policies.push((await (await request.response())?.headerValue('content-security-policy')) ?? null);
  });
  await openLive(page, url);
  await page.getByRole('button', { name: /^Run cell/ }).click();
  await expect(statusOf(page, 'active')).toHaveAttribute('data-status', 'ready');

  const frame = page.frameLocator('[data-cell-id=active] iframe');
  await expect(frame.locator('#text')).toHaveText('changed by its script');
  await expect
    .poll(() => frame.locator('dd').evaluateAll((all) => all.map((one) => `${one.id} ${one.textContent}`)))
    .toEqual(PROBE_RESULTS);
  expect(responses).toEqual([]);
  await expect.poll(() => policies[0]).toContain('sandbox allow-scripts');
  expect(page.url()).toBe(url);

  // Opened directly, without Cellar's sandboxed frame around it, the document has no additional rights.
  await page.goto(`${server.url}/outputFrame.html`);
  expect(await page.evaluate(() => self.origin)).toBe('null');
});
