/** Provides AMD's `define` while anywidget's module is loaded in a frame. */

/** Makes the classes of an AMD module out of what it needs. */
type Make = (base: unknown) => Readonly<Record<string, unknown>>;

let defined: Make | null = null;
// anywidget's code for the page is an AMD module: it calls `define` while it is read.
(globalThis as { define?: unknown }).define = (_needs: readonly string[], make: Make): void => {
  defined = make;
};

/** What `define` was called with; call it after the import of the module. */
export function takeDefinedFactory(): Make {
  delete (globalThis as { define?: unknown }).define;
  if (defined === null) throw new Error('anywidget did not load');
  return defined;
}
