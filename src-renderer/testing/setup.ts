import { vi } from 'vitest';
import { WebSocket } from 'ws';
import { completeDom } from './dom.ts';
import { extendExpect } from './matchers.ts';

/** As in a browser, a failing socket fires `close`, and throws nothing if there is no listener. */
class BrowserSocket extends WebSocket {
  constructor(address: string) {
    super(address);
    this.on('error', () => undefined);
  }
}

completeDom();
extendExpect();
// Node's fetch only sends Node's own forms, and jsdom replaces that class with its own.
const { constructor: NodeForm } = await new Response(new URLSearchParams()).formData();
for (const one of [globalThis, window]) {
  Object.defineProperty(one, 'WebSocket', { configurable: true, value: BrowserSocket });
  Object.defineProperty(one, 'FormData', { configurable: true, value: NodeForm });
}

// Monaco needs layout: cells are edited in the text area that is shown until Monaco has loaded.
vi.mock('../editor/loadMonaco.ts', () => ({ loadMonaco: () => new Promise(() => undefined) }));
