/** Types of the globals and matchers in component tests. */

import 'vitest';
import type { LocatorMatchers } from './matchers.ts';

declare global {
  /** Provided by vitest's jsdom environment. */
  const jsdom: { readonly reconfigure: (settings: { readonly url: string }) => void };
}

declare module 'vitest' {
  interface Matchers<T = unknown> extends LocatorMatchers {}
}
