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
  page: ['setExtraHTTPHeaders', 'close'],
  context: ['exposeBinding', 'route'],
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
  /** Undoes what the test did that lasts longer than a document. */
  readonly undoes: (() => Promise<unknown>)[];
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
   * @param origins the URLs of the test's servers, which must still answer
   */
  async giveBack(origins: readonly string[] | null): Promise<void> {
    const warm = this.#warm;
    if (warm === null) return;
    if (!warm.usedUp && origins !== null) {
      const ready = await reset(warm, origins).catch(() => false);
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
    const devtools = await context.newCDPSession(page);
    const warm: Warm = { context, page, devtools, undoes: [], usedUp: false };
    noteLasting(warm);
    return warm;
  }
}

/** Notes each call of a method whose effect lasts longer than a document, and how it is undone. */
function noteLasting(warm: Warm): void {
  const { context, page, undoes } = warm;
  const useUp = (): void => {
    warm.usedUp = true;
  };
  for (const name of LASTING.page) watch(page, name, useUp);
  for (const name of LASTING.context) watch(context, name, useUp);
  watch(page.clock, 'install', useUp);
  for (const name of ['addInitScript', 'exposeBinding', 'exposeFunction'] as const)
    watch(page, name, (made) => void undoes.push(async () => (await made).dispose()));
  watch(context, 'addInitScript', (made) => void undoes.push(async () => (await made).dispose()));
  for (const name of ['on', 'once'] as const)
    watch(page, name, (_page, [event, listener]) => void undoes.push(async () => page.off(event, listener)));
  watch(context, 'grantPermissions', () => void undoes.push(() => context.clearPermissions()));
  watch(context, 'newCDPSession', (made) => void undoes.push(async () => (await made).detach()));
}

type Method = (...values: never[]) => unknown;

/** Calls `note` with the result and the arguments of each call of a method. */
function watch<T extends object, N extends keyof T>(
  owner: T,
  name: N,
  note: (
    made: T[N] extends Method ? ReturnType<T[N]> : never,
    values: T[N] extends Method ? Parameters<T[N]> : never,
  ) => void,
): void {
  const method: unknown = owner[name];
  if (typeof method !== 'function') throw new Error(`${String(name)} is not a method of Playwright any more`);
  Object.defineProperty(owner, name, {
    configurable: true,
    value: (...values: never) => {
      const made = method.apply(owner, values);
      note(made, values);
      return made;
    },
  });
}

/** @returns whether the page is like a new one */
async function reset(
  { context, page, devtools, undoes }: Warm,
  origins: readonly string[],
): Promise<boolean> {
  for (const undo of undoes.splice(0).reverse()) await undo();
  for (const other of context.pages()) if (other !== page) await other.close();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  for (const origin of new Set(origins)) {
    // Opens a document of this origin without scripts, so that data which the program writes when it ends is cleared too.
    await page.goto(`${origin}/icon.svg`, { timeout: 5_000 });
    await page.evaluate(() => sessionStorage.clear());
    await devtools.send('Storage.clearDataForOrigin', { origin, storageTypes: STORAGES });
  }
  await page.emulateMedia(USUAL_MEDIA);
  // Moves the pointer outside, so that nothing is hovered in the next document.
  await page.mouse.move(-10, -10);
  return true;
}
