/**
 * What jsdom lacks compared with a browser. It has no layout: everything counts as near the viewport, and
 * nothing has a size. A test that needs either belongs to e2e/app.
 */
import { isVisible } from './text.ts';

/** The system settings and the width of the window that media queries return. */
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

/** Reports every observed element as near the viewport. */
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
  return list as MediaQueryList; // the page reads `matches` and listens to `change`
}

/** Changes the answers of media queries and notifies their listeners. */
export function setMedia(changes: Partial<Media>): void {
  Object.assign(media, changes);
  for (const list of lists) list.dispatchEvent(new Event('change'));
}

/**
 * The inline style of an element. The cascade of jsdom takes most of a test's time, and no CSS is loaded that
 * it could apply.
 */
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

/** Adds what is missing, once for the window of a test file. */
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
  // A window that is loaded again registers its elements again, in the same document.
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
  // jsdom has this method for elements, but not for the ranges that a search highlights.
  Range.prototype.getBoundingClientRect = () => document.createElement('i').getBoundingClientRect();
  Range.prototype.getClientRects = () => document.createElement('i').getClientRects();
  // Code that checks whether an element is visible reads it.
  Object.defineProperty(HTMLElement.prototype, 'offsetParent', {
    configurable: true,
    get(this: HTMLElement) {
      return isVisible(this) ? this.parentElement : null;
    },
  });
  HTMLCanvasElement.prototype.getContext = () => null;
}
