/**
 * One page for all tests of a Playwright worker. A new browser context starts a new process, which reads, compiles and
 * runs the whole program and the editor again: more than half of the cost of a window test. A page that is reused keeps
 * the compiled code; every test still loads the document again, so no state of the program is shared.
 *
 * Changes of a test beyond its document are undone by `reset`; after other changes (see `LASTING`) the page is not
 * reused.
 */

import type { Browser, BrowserContext, CDPSession, Page, ViewportSize } from '@playwright/test';
import { SLOWED, slowDown } from './slowed.ts';

/** Methods whose effects outlast a document and cannot be undone; after a call of one, the page is not reused. */
const LASTING = {
  page: ['addInitScript', 'exposeBinding', 'exposeFunction', 'on', 'setExtraHTTPHeaders', 'close'],
  context: ['addInitScript', 'exposeBinding', 'grantPermissions', 'newCDPSession', 'newPage', 'route'],
} as const;

/** The defaults of a context of Playwright. */
const USUAL_MEDIA = {
  media: null,
  colorScheme: 'light',
  reducedMotion: 'no-preference',
  forcedColors: 'none',
  contrast: 'no-preference',
} as const;

const STORAGES = 'cookies,local_storage,indexeddb,cache_storage,service_workers';

interface Warm {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly devtools: CDPSession;
  usedUp: boolean;
}

export class WarmPage {
  readonly #browser: Browser;
  #warm: Warm | null = null;

  constructor(browser: Browser) {
    this.#browser = browser;
  }

  /** The blank page, in the size that the test needs. */
  async take(viewport: ViewportSize): Promise<Page> {
    this.#warm ??= await this.#open();
    const { page } = this.#warm;
    await page.setViewportSize(viewport);
    return page;
  }

  /** Makes the next test get another page. */
  discard(): void {
    if (this.#warm !== null) this.#warm.usedUp = true;
  }

  /**
   * Makes the page ready for the next test, or closes it if that is not possible.
   * @param origin the address at which the test's server still answers
   */
  async giveBack(origin: string | null): Promise<void> {
    const warm = this.#warm;
    if (warm === null) return;
    if (!warm.usedUp && origin !== null && warm.context.pages().length === 1) {
      const ready = await reset(warm, origin).catch(() => false);
      if (ready) return;
    }
    this.#warm = null;
    await warm.context.close();
  }

  async close(): Promise<void> {
    await this.#warm?.context.close();
    this.#warm = null;
  }

  async #open(): Promise<Warm> {
    const context = await this.#browser.newContext();
    const page = await context.newPage();
    if (SLOWED > 1) await slowDown(page);
    if (SLOWED > 1) context.on('page', (another) => void slowDown(another));
    const warm = { context, page, devtools: await context.newCDPSession(page), usedUp: false };
    for (const name of LASTING.page) watch(page, name, warm);
    for (const name of LASTING.context) watch(context, name, warm);
    watch(page.clock, 'install', warm);
    return warm;
  }
}

/** Marks the page as used up when a method is called. */
function watch<T extends object>(owner: T, name: keyof T, warm: Warm): void {
  const method = owner[name];
  if (typeof method !== 'function') throw new Error(`${String(name)} is not a method of Playwright any more`);
  Object.defineProperty(owner, name, {
    configurable: true,
    value: (...values: unknown[]) => {
      warm.usedUp = true;
      return method.apply(owner, values);
    },
  });
}

/** @returns whether the page is like a new one */
async function reset({ page, devtools }: Warm, origin: string): Promise<boolean> {
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  // Opens a document of this origin without scripts, so that data which the program writes when it ends is cleared too.
  await page.goto(`${origin}/icon.svg`, { timeout: 5_000 });
  await page.evaluate(() => sessionStorage.clear());
  await devtools.send('Storage.clearDataForOrigin', { origin, storageTypes: STORAGES });
  await page.emulateMedia(USUAL_MEDIA);
  // Moves the pointer outside, so that nothing is hovered in the next document.
  await page.mouse.move(-10, -10);
  return true;
}
