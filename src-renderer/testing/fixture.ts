/**
 * Vitest's `test` with the window of the program in a jsdom document, and fake servers for it: the fixtures of
 * e2e/support/fakeServerFixture.ts without a browser.
 */
import { test as base, expect } from 'vitest';
import { FakeServer } from '../../e2e/support/fakeServer.ts';
import type { NotebookBody } from '../../src-shared/wire/notebookState.ts';
import { Page } from './page.tsx';

export type Serve = (body: NotebookBody) => Promise<{ fake: FakeServer; url: string }>;

export const test = base.extend<{ page: Page; serve: Serve }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest requires a destructured first argument
  serve: async ({}, use) => {
    const fakes: FakeServer[] = [];
    await use(async (body) => {
      const fake = new FakeServer(body);
      fakes.push(fake);
      const origin = await fake.startAt(0);
      return { fake, url: `${origin}/#/notebook/s1?path=${encodeURIComponent(fake.path)}` };
    });
    await Promise.all(fakes.map((fake) => fake.close()));
  },
  // Depends on `serve`, so that the servers respond until the window is closed.
  page: async ({ serve: _serve }, use) => {
    const page = new Page();
    await use(page);
    page.close();
  },
});

/** Opens a notebook and waits until it is connected. */
export async function openPage(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await expect(page.locator('[data-link=live]')).toBeVisible();
  await expect(page.locator('.header-name')).not.toBeEmpty();
}

/** Puts values into the storage of a server's pages before the program runs. */
export async function storeBefore(
  _page: Page,
  _url: string,
  values: Readonly<Record<string, string>>,
): Promise<void> {
  for (const [key, value] of Object.entries(values)) localStorage.setItem(key, value);
}

export { expect };
