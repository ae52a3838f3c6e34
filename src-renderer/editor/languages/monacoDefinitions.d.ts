/** The editor's own definitions, which come without types. */
declare module 'monaco-editor/languages/definitions/python/python' {
  export const conf: import('monaco-editor/editor').languages.LanguageConfiguration;
  export const language: import('monaco-editor/editor').languages.IMonarchLanguage;
}
