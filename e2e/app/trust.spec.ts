import { expectAccessible } from '../support/axe.ts';
import { expect, openPage, test } from '../support/fakeServerFixture.ts';
import { sampleNotebook } from '../support/fakeServerSamples.ts';

const WORDS = 'Nothing runs in this folder until you trust it.';

test('[DK-24] outside the desktop window the banner says where trust is given, and asks nothing', async ({
  page,
  serve,
}) => {
  const { fake, url } = await serve({ ...sampleNotebook(), untrusted: WORDS });
  await openPage(page, url);
  const banner = page.locator('.notice', { has: page.locator('[data-untrusted]') });
  await expect(banner).toHaveText(`${WORDS} Trust it in the desktop window.`);
  await expect(banner.getByRole('button')).toHaveCount(0);
  await expectAccessible(page, { exclude: 'iframe' });
  const { untrusted: _trusted, ...body } = fake.body;
  fake.body = body;
  fake.broadcastState();
  await expect(banner).toHaveCount(0);
});
