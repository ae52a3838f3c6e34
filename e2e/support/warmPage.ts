/**
 * One page for all tests of a Playwright worker. A new browser context starts a new process, which reads, compiles and
 * runs the whole program and the editor again: more than half of the cost of a window test. A page that is reused keeps
 * the compiled code; every test still loads the document again, so no state of the program is shared.
 *
 * What a test can change beyond its document is put back by `reset`, or the page is not used again: see `LASTING`.
 */

import type { Browser, BrowserContext, CDPSession, Page, ViewportSize } from '@playwright/test';
import { SLOWED, slowDown } from './slowed.ts';

/** What lasts longer than a document and cannot be put back: a test that calls one of these uses up its page. */
const LASTING = {
  page: ['addInitScript', 'exposeBinding', 'exposeFunction', 'on', 'setExtraHTTPHeaders', 'close'],
  context: ['addInitScript', 'exposeBinding', 'grantPermissions', 'newCDPSession', 'newPage', 'route'],
} as const;

/** As Playwright makes a context. */
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

  /** The page, blank and as wide and high as the test wants it. */
  async take(viewport: ViewportSize): Promise<Page> {
    this.#warm ??= await this.#open();
    const { page } = this.#warm;
    await page.setViewportSize(viewport);
    return page;
  }

  /** The next test gets another page. */
  discard(): void {
    if (this.#warm !== null) this.#warm.usedUp = true;
  }

  /**
   * Makes the page ready for the next test, or closes it where that is not possible.
   * @param origin where the test's server still answers
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

/** Notes the call of a method before it is made. */
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

/** @returns whether the page is as a new one */
async function reset({ page, devtools }: Warm, origin: string): Promise<boolean> {
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  // A document of this origin that runs nothing: what the program writes as it is left is cleared as well.
  await page.goto(`${origin}/icon.svg`, { timeout: 5_000 });
  await page.evaluate(() => sessionStorage.clear());
  await devtools.send('Storage.clearDataForOrigin', { origin, storageTypes: STORAGES });
  await page.emulateMedia(USUAL_MEDIA);
  // Outside: nothing is hovered in the next document.
  await page.mouse.move(-10, -10);
  return true;
}
