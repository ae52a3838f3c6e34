import { ACTIVE_PROBE, PROBE_RESULTS } from '../support/activeProbe.ts';
import { expect } from '../support/expect.ts';
import { openLive, statusOf, test } from '../support/realServerFixture.ts';

test('[WI-8] active output runs its scripts and reaches neither the page nor the server', async ({
  page,
  serveReal,
}) => {
  const { server, url } = await serveReal([{ id: 'active', source: ACTIVE_PROBE }]);
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
  await expect(statusOf(page, 'active')).toHaveAttribute('data-status', 'ready');

  const frame = page.frameLocator('[data-cell-id=active] iframe');
  await expect(frame.locator('#text')).toHaveText('changed by its script');
  await expect
    .poll(() => frame.locator('dd').evaluateAll((all) => all.map((one) => `${one.id} ${one.textContent}`)))
    .toEqual(PROBE_RESULTS);
  expect(answered).toEqual([]);
  await expect.poll(() => served[0]).toContain('sandbox allow-scripts');
  expect(page.url()).toBe(url);

  // Opened directly, without our sandboxed frame around it, the document has no more rights.
  await page.goto(`${server.url}/outputFrame.html`);
  expect(await page.evaluate(() => self.origin)).toBe('null');
});
