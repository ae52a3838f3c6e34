/** Monaco's highlighting and brackets of prompt cells. */

import type { languages } from 'monaco-editor/editor';

/**
 * A prompt: `#` lines before the text are annotations and comments, the text is Markdown, and `{{ name }}` anywhere in
 * it, also in a heading or in code, is replaced by a value.
 */
export const PROMPT_GRAMMAR: languages.IMonarchLanguage = {
  defaultToken: '',
  includeLF: true,
  start: 'head',
  tokenizer: {
    head: [
      [/[ \t]*#[^\n]*\n?/, 'comment'],
      [/\s+/, ''],
      [/./, { token: '@rematch', switchTo: '@root' }],
    ],
    root: [
      [/\{\{/, 'variable', '@template'],
      [/^\s{0,3}#{1,6}(?=\s)/, 'keyword', '@heading'],
      [/^\s*(?:```|~~~)[^\n]*/, 'string', '@fence'],
      [/^\s*(?:[*+-]|\d+[.)])(?=\s)/, 'keyword'],
      [/^\s*>+/, 'comment'],
      [/`[^`\n{]*`/, 'string'],
      [/\*\*[^*\n{]+\*\*/, 'strong'],
      [/\*[^*\s{][^*\n{]*\*/, 'emphasis'],
      [/!?\[[^\]\n{]*\]\([^)\n{]*\)/, 'string'],
      [/[^\n{`*[!]+/, ''],
    ],
    heading: [
      [/\n/, '', '@pop'],
      [/\{\{/, 'variable', '@template'],
      [/[^\n{]+|\{/, 'keyword'],
    ],
    fence: [
      [/^\s*(?:```|~~~)\s*\n/, 'string', '@pop'],
      [/\{\{/, 'variable', '@template'],
      [/[^{\n]+|[{\n]/, 'string'],
    ],
    template: [
      [/\}\}/, 'variable', '@pop'],
      // An unclosed `{{` is not a template: the colour ends with its line.
      [/\n/, '', '@pop'],
      [/[^}\n]+|\}/, 'variable'],
    ],
  },
};

/** The text of a prompt has no comments, because all of it is sent. See `commentHead`. */
export const PROMPT_CONFIGURATION: languages.LanguageConfiguration = {
  brackets: [
    ['{', '}'],
    ['[', ']'],
    ['(', ')'],
  ],
  autoClosingPairs: [
    { open: '{', close: '}' },
    { open: '[', close: ']' },
    { open: '(', close: ')' },
  ],
  surroundingPairs: [
    { open: '*', close: '*' },
    { open: '`', close: '`' },
    { open: '(', close: ')' },
    { open: '[', close: ']' },
  ],
};
