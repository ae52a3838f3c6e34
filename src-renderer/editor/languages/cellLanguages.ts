/**
 * The languages of cells: Monaco's own definitions of R, Markdown and (except for numbers) Python, and ours of SQL by
 * kind of database, of prompts and of widgets. All are loaded with the editor: with a definition that arrived after the
 * first key, brackets opened before then would not be closed automatically.
 */

import type { languages } from 'monaco-editor/editor';
import * as markdown from 'monaco-editor/languages/definitions/markdown/markdown';
import * as python from 'monaco-editor/languages/definitions/python/python';
import * as r from 'monaco-editor/languages/definitions/r/r';
import { SQL_DIALECTS } from '../language.ts';
import type { Monaco } from '../monaco.ts';
import { PROMPT_CONFIGURATION, PROMPT_GRAMMAR } from './prompt.ts';
import { SQL_CONFIGURATION, sqlGrammar } from './sql.ts';

/** The kinds of controls (docs/spec/widgets-and-app-view.md, 1); anything else in a widget cell is ignored. */
const KINDS = ['slider', 'number', 'dropdown', 'checkbox', 'text'];

/** Monaco's own Python grammar ends a number at its first underscore and knows no octal or binary numbers. */
const PYTHON_GRAMMAR: languages.IMonarchLanguage = {
  ...python.language,
  tokenizer: {
    ...python.language.tokenizer,
    numbers: [
      [/0[xX](_?[\da-fA-F])+|0[oO](_?[0-7])+|0[bB](_?[01])+/, 'number.hex'],
      [/(\d(_?\d)*\.?|\.\d)(_?\d)*([eE][+-]?\d(_?\d)*)?[jJ]?/, 'number'],
    ],
  },
};

export function registerCellLanguages({ languages: editor }: Pick<Monaco, 'languages'>): void {
  const register = (
    id: string,
    grammar: languages.IMonarchLanguage,
    configuration: languages.LanguageConfiguration,
  ): void => {
    editor.register({ id });
    editor.setMonarchTokensProvider(id, grammar);
    editor.setLanguageConfiguration(id, configuration);
  };
  register('python', PYTHON_GRAMMAR, python.conf);
  for (const [id, { language, conf }] of Object.entries({ r, markdown })) register(id, language, conf);
  for (const [id, dialect] of Object.entries(SQL_DIALECTS))
    register(id, sqlGrammar(dialect), SQL_CONFIGURATION);
  register('cellar-prompt', PROMPT_GRAMMAR, PROMPT_CONFIGURATION);
  register('cellar-widget', widgetGrammar(), python.conf);
}

/** Python, with the widget constructors highlighted. */
function widgetGrammar(): languages.IMonarchLanguage {
  const { root = [], ...states } = PYTHON_GRAMMAR.tokenizer;
  const kind: languages.IMonarchLanguageRule = [
    /[a-zA-Z_]\w*(?=\s*\()/,
    { cases: { '@kinds': 'function', '@keywords': 'keyword', '@default': 'identifier' } },
  ];
  return { ...PYTHON_GRAMMAR, kinds: KINDS, tokenizer: { root: [kind, ...root], ...states } };
}
