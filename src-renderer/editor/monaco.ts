/** The module of the Monaco editor, which `loadMonaco` loads on first use. */
export type Monaco = typeof import('monaco-editor/editor');
