/** Monaco's own language definitions, which have no types. */
declare module 'monaco-editor/languages/definitions/markdown/markdown' {
  export const conf: import('monaco-editor/editor').languages.LanguageConfiguration;
  export const language: import('monaco-editor/editor').languages.IMonarchLanguage;
}
declare module 'monaco-editor/languages/definitions/python/python' {
  export const conf: import('monaco-editor/editor').languages.LanguageConfiguration;
  export const language: import('monaco-editor/editor').languages.IMonarchLanguage;
}
declare module 'monaco-editor/languages/definitions/r/r' {
  export const conf: import('monaco-editor/editor').languages.LanguageConfiguration;
  export const language: import('monaco-editor/editor').languages.IMonarchLanguage;
}
