/**
 * The languages of cells: the editor's own definitions of Python, R and Markdown, and ours of SQL by the kind of
 * database, of prompts and of widgets. All come with the editor: one that arrived after the first key would close
 * no bracket that was opened by then.
 */
import type { languages } from 'monaco-editor/editor';
import * as markdown from 'monaco-editor/languages/definitions/markdown/markdown';
import * as python from 'monaco-editor/languages/definitions/python/python';
import * as r from 'monaco-editor/languages/definitions/r/r';
import { SQL_DIALECTS } from '../language.ts';
import type { Monaco } from '../loadMonaco.ts';
import { PROMPT_CONFIGURATION, PROMPT_GRAMMAR } from './prompt.ts';
import { SQL_CONFIGURATION, sqlGrammar } from './sql.ts';

/** The kinds of controls (semantics 10); what else a widget cell says is ignored. */
const KINDS = ['slider', 'number', 'dropdown', 'checkbox', 'text'];

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
  for (const [id, { language, conf }] of Object.entries({ python, r, markdown }))
    register(id, language, conf);
  for (const [id, dialect] of Object.entries(SQL_DIALECTS))
    register(id, sqlGrammar(dialect), SQL_CONFIGURATION);
  register('cellar-prompt', PROMPT_GRAMMAR, PROMPT_CONFIGURATION);
  register('cellar-widget', widgetGrammar(), python.conf);
}

/** Python, in which the kinds of controls stand out. */
function widgetGrammar(): languages.IMonarchLanguage {
  const { root = [], ...states } = python.language.tokenizer;
  const kind: languages.IMonarchLanguageRule = [
    /[a-zA-Z_]\w*(?=\s*\()/,
    { cases: { '@kinds': 'function', '@keywords': 'keyword', '@default': 'identifier' } },
  ];
  return { ...python.language, kinds: KINDS, tokenizer: { root: [kind, ...root], ...states } };
}
