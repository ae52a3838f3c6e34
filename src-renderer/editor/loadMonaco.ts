export type MonacoModule = typeof import('./monacoSetup.ts');
export type Monaco = MonacoModule['monaco'];

let loading: Promise<Monaco> | null = null;

/** The editor's chunk, fetched once. Rejects when it cannot be fetched; the next call tries again. */
export function loadMonaco(): Promise<Monaco> {
  loading ??= import('./monacoSetup.ts').then(
    (module) => module.monaco,
    (error: unknown) => {
      loading = null;
      throw error;
    },
  );
  return loading;
}
