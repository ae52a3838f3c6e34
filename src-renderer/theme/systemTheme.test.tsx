import { beforeEach, expect, test, vi } from 'vitest';

/** The answers of media queries, as Chromium gives them: a read of `matches` cancels the event that is still to come. */
class ChromiumMedia {
  readonly #lists: { readonly query: string; known: boolean; readonly target: EventTarget }[] = [];
  isDark = false;

  readonly matchMedia = (query: string): MediaQueryList => {
    const list = { query, known: this.#evaluate(query), target: new EventTarget() };
    this.#lists.push(list);
    Object.defineProperty(list.target, 'matches', {
      get: () => {
        list.known = this.#evaluate(query);
        return list.known;
      },
    });
    return list.target as MediaQueryList; // the page reads `matches` and listens to `change`
  };

  #evaluate(query: string): boolean {
    return query.includes('prefers-color-scheme: dark') && this.isDark;
  }

  /** What the next frame does. */
  dispatchChanges(): void {
    for (const list of this.#lists) {
      if (list.known === this.#evaluate(list.query)) continue;
      list.known = !list.known;
      list.target.dispatchEvent(new Event('change'));
    }
  }
}

type Theme = typeof import('./theme.ts');
let media: ChromiumMedia;
let theme: Theme;

beforeEach(async () => {
  media = new ChromiumMedia();
  vi.stubGlobal('matchMedia', media.matchMedia);
  window.matchMedia = media.matchMedia;
  vi.resetModules();
  theme = await import('./theme.ts');
  theme.showTheme();
});

const READS: readonly [name: string, read: (theme: Theme) => unknown][] = [
  ['a frame that asks for the colours', ({ scheme }) => scheme()],
  ['a component that asks for the contrast', ({ highContrast }) => highContrast()],
  ['a component that asks about reduced motion', ({ reducedMotion }) => reducedMotion()],
  ['a window that gets the focus', () => window.dispatchEvent(new Event('focus'))],
  ['a page that is visible again', () => document.dispatchEvent(new Event('visibilitychange'))],
  ['a page with its own colours that closes', ({ setPageTheme }) => setPageTheme(null)],
];

test.each(READS)(
  '[WI-406] %s does not prevent the page from applying new colours of the system',
  (_name, read) => {
    const listener = vi.fn();
    const stop = theme.onThemeChange(listener);
    media.isDark = true;
    read(theme);
    media.dispatchChanges();
    expect(document.documentElement.dataset['theme']).toBe('dark');
    expect(theme.scheme()).toBe('dark');
    expect(listener).toHaveBeenCalledTimes(1);
    stop();
  },
);

test.each([
  ['focus', () => window.dispatchEvent(new Event('focus'))],
  ['visibilitychange', () => document.dispatchEvent(new Event('visibilitychange'))],
])('[WI-406] without an event of the system, %s applies its colours, once', (_name, look) => {
  media.isDark = true;
  const listener = vi.fn();
  const stop = theme.onThemeChange(listener);
  look();
  look();
  expect(document.documentElement.dataset['theme']).toBe('dark');
  expect(listener).toHaveBeenCalledTimes(1);
  stop();
});
