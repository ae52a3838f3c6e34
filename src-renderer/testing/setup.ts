/** Set-up file of component tests: completes jsdom with what the window needs of a browser. */

import { vi } from 'vitest';
import { WebSocket } from 'ws';
import { completeDom } from './dom.ts';
import { extendExpect } from './matchers.ts';

/** A WebSocket that, as in a browser, fires `close` when it fails and does not throw without an error listener. */
class BrowserSocket extends WebSocket {
  constructor(address: string) {
    super(address);
    this.on('error', () => undefined);
  }
}

completeDom();
extendExpect();
// Node's fetch can only send Node's own FormData, which jsdom replaces.
const { constructor: NodeForm } = await new Response(new URLSearchParams()).formData();
for (const one of [globalThis, window]) {
  Object.defineProperty(one, 'WebSocket', { configurable: true, value: BrowserSocket });
  Object.defineProperty(one, 'FormData', { configurable: true, value: NodeForm });
}

// Monaco needs layout. Until it has loaded, cells have a text area, which the tests use.
vi.mock('../editor/loadMonaco.ts', () => ({ loadMonaco: () => new Promise(() => undefined) }));
