/** Provides AMD's `define` while anywidget's module is loaded in a frame. */

/** The factory of an AMD module: creates its classes from its dependency. */
type Make = (base: unknown) => Readonly<Record<string, unknown>>;

let defined: Make | null = null;
// anywidget's code for the page is an AMD module: it calls `define` while it loads.
(globalThis as { define?: unknown }).define = (_needs: readonly string[], make: Make): void => {
  defined = make;
};

/** The factory that `define` was called with; to be called after the module was imported. */
export function takeDefinedFactory(): Make {
  delete (globalThis as { define?: unknown }).define;
  if (defined === null) throw new Error('anywidget did not load');
  return defined;
}
