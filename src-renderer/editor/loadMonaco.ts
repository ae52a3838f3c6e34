/** Loads the code of the Monaco editor on first use; a failed load is tried again on the next call. */

import type { Monaco } from './monaco.ts';

/** Mark in the page's performance timeline: the editor's code has been loaded. */
const EDITOR_MARK = 'cellar.editor';

let loading: Promise<Monaco> | null = null;

export function loadMonaco(): Promise<Monaco> {
  loading ??= import('./monacoSetup.ts').then(
    (module) => {
      // Compiling it takes a tenth of a second: performance measurements need to know when it has finished.
      performance.mark(EDITOR_MARK);
      return module.monaco;
    },
    (error: unknown) => {
      loading = null;
      throw error;
    },
  );
  return loading;
}
