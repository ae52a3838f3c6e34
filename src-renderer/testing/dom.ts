/**
 * Adds to jsdom what the window needs of a browser. There is no layout: everything counts as near the viewport, and
 * nothing has a size. A test that needs either belongs in e2e/app.
 */
import { isVisible } from './text.ts';

/** The system settings and the window width that media queries see. */
interface Media {
  dark: boolean;
  reducedMotion: boolean;
  width: number;
}

const media: Media = { dark: false, reducedMotion: false, width: 1280 };

class NoResizes {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}

/** An IntersectionObserver that reports every element as near. */
class AllNear {
  readonly #report: IntersectionObserverCallback;
  constructor(report: IntersectionObserverCallback) {
    this.#report = report;
  }
  observe(target: Element): void {
    const entry = { target, isIntersecting: true, intersectionRatio: 1 } as IntersectionObserverEntry;
    queueMicrotask(() => this.#report([entry], this as unknown as IntersectionObserver));
  }
  unobserve(): void {}
  disconnect(): void {}
  takeRecords(): [] {
    return [];
  }
}

function matches(query: string): boolean {
  if (query.includes('prefers-color-scheme: dark')) return media.dark;
  if (query.includes('prefers-reduced-motion')) return media.reducedMotion;
  const narrower = /max-width: ?(\d+)px/.exec(query)?.[1];
  if (narrower !== undefined) return media.width <= Number(narrower);
  const narrow = /width ?< ?(\d+)px/.exec(query)?.[1];
  return narrow !== undefined && media.width < Number(narrow);
}

const lists = new Set<EventTarget>();

function matchMedia(query: string): MediaQueryList {
  const list = new EventTarget();
  Object.defineProperty(list, 'matches', { get: () => matches(query) });
  lists.add(list);
  return list as MediaQueryList; // the page only uses `matches` and `change`
}

/** Changes the answers of media queries and notifies their listeners. */
export function setMedia(changes: Partial<Media>): void {
  Object.assign(media, changes);
  for (const list of lists) list.dispatchEvent(new Event('change'));
}

/** The inline style of an element. Computing the cascade in jsdom takes most of a test's time, and no CSS is loaded. */
function ownStyle(element: Element): CSSStyleDeclaration {
  const { style } = element as HTMLElement;
  const read = (name: string): string => style?.getPropertyValue(name) || (USUAL[name] ?? '');
  return new Proxy(style, {
    get: (target, name) => {
      if (name === 'getPropertyValue') return read;
      if (typeof name !== 'string') return Reflect.get(target, name);
      const own: unknown = Reflect.get(target, name);
      return own === '' ? (USUAL[name] ?? '') : own;
    },
  });
}

const USUAL: Readonly<Record<string, string>> = {
  display: 'block',
  visibility: 'visible',
  position: 'static',
  overflow: 'visible',
};

/** Adds what is missing, once per test file. */
export function completeDom(): void {
  const lacking = {
    ResizeObserver: NoResizes,
    IntersectionObserver: AllNear,
    matchMedia,
    requestIdleCallback: (task: () => void) => setTimeout(task, 1),
    cancelIdleCallback: (handle: number) => clearTimeout(handle),
    scrollTo: () => undefined,
    getComputedStyle: ownStyle,
  };
  for (const [name, value] of Object.entries(lacking)) {
    Object.defineProperty(window, name, { configurable: true, writable: true, value });
    Object.defineProperty(globalThis, name, { configurable: true, writable: true, value });
  }
  const fonts = Object.assign(new EventTarget(), { ready: Promise.resolve(), check: () => true });
  Object.defineProperty(document, 'fonts', { configurable: true, value: fonts });
  // A reloaded window registers its custom elements again in the same document.
  const { customElements } = window;
  const define = customElements.define.bind(customElements);
  customElements.define = (name, ...rest) => {
    if (customElements.get(name) === undefined) define(name, ...rest);
  };
  const { prototype } = Element;
  prototype.scrollIntoView = () => undefined;
  prototype.scrollTo = () => undefined;
  prototype.scrollBy = () => undefined;
  prototype.hasPointerCapture = () => false;
  prototype.setPointerCapture = () => undefined;
  prototype.releasePointerCapture = () => undefined;
  prototype.getAnimations = () => [];
  // jsdom implements this for elements, but not for the ranges that mark search matches.
  Range.prototype.getBoundingClientRect = () => document.createElement('i').getBoundingClientRect();
  Range.prototype.getClientRects = () => document.createElement('i').getClientRects();
  // Used by code that checks whether an element is visible.
  Object.defineProperty(HTMLElement.prototype, 'offsetParent', {
    configurable: true,
    get(this: HTMLElement) {
      return isVisible(this) ? this.parentElement : null;
    },
  });
  HTMLCanvasElement.prototype.getContext = () => null;
}
