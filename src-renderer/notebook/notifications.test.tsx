import { vi } from 'vitest';
import { sampleNotebook } from '../../e2e/support/fakeServerSamples.ts';
import { expect, openPage, test } from '../testing/fixture.ts';

/** A browser with this permission, which records its notifications and grants permission on request. */
function browserWith(permission: NotificationPermission) {
  const shown: string[] = [];
  class FakeNotification {
    static permission = permission;
    static async requestPermission(): Promise<NotificationPermission> {
      FakeNotification.permission = 'granted';
      return 'granted';
    }
    constructor(title: string, { body }: { readonly body: string }) {
      shown.push(`${title}: ${body}`);
    }
  }
  vi.stubGlobal('Notification', FakeNotification);
  Object.defineProperty(window, 'Notification', { configurable: true, value: FakeNotification });
  Object.defineProperty(document, 'hidden', { configurable: true, get: () => true });
  return { shown };
}

test('[EX-98] the end of a long run in a hidden window is announced, once the person and the browser allow it', async ({
  page,
  serve,
}) => {
  const browser = browserWith('default');
  const { fake, url } = await serve(sampleNotebook());
  await openPage(page, url);
  await page.keyboard.press('Control+,');
  const choice = page.getByRole('switch', { name: 'Notify when a long run ends' });
  await expect(choice).not.toBeChecked();
  await choice.click();
  await expect(choice).toBeChecked();
  await page.getByRole('button', { name: 'Done' }).click();
  const now = performance.now.bind(performance);
  const run = page.locator('[data-cell-id=daily]').getByRole('button', { name: /^Stop/ });
  fake.status('daily', 'running');
  await expect(run).toBeVisible();
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + 90_000);
  fake.status('daily', 'error');
  await expect
    .poll(() => browser.shown)
    .toEqual([expect.stringMatching(/^Bike trips: A cell failed. The run took 1:3\d\.$/)]);
  clock.mockRestore();
  Reflect.deleteProperty(window, 'Notification');
  Reflect.deleteProperty(document, 'hidden');
  vi.unstubAllGlobals();
});
