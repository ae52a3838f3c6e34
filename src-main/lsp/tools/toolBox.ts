/** Looks up the language tools of this process once, for all notebooks. */

import { type FoundTools, resolveTools, type ToolSources } from './resolveTools.ts';

/** The language tools, looked up on first use. */
interface ToolBox {
  find(python: string): Promise<FoundTools>;
  /** Stops a running download. */
  close(): void;
}

/** A failed download is repeated after this time. */
const RETRY_MS = 10 * 60_000;

export function createToolBox(sources: Omit<ToolSources, 'signal'>): ToolBox {
  const stopping = new AbortController();
  let lookup: { readonly tools: Promise<FoundTools>; readonly atMs: number } | null = null;
  return {
    async find(python) {
      if (lookup === null) {
        lookup = {
          tools: resolveTools({ ...sources, signal: stopping.signal }, python),
          atMs: performance.now(),
        };
      }
      const { tools, atMs } = lookup;
      const result = await tools;
      if (result.kind === 'missing' && performance.now() - atMs > RETRY_MS) lookup = null;
      return result;
    },
    close: () => stopping.abort(),
  };
}
