type MonacoModule = typeof import('./monacoSetup.ts');
export type Monaco = MonacoModule['monaco'];

/** Entry of the page's own timeline: the editor is there. */
const EDITOR_MARK = 'cellar.editor';

let loading: Promise<Monaco> | null = null;

/** The editor's chunk, fetched once. Rejects when it cannot be fetched; the next call tries again. */
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
