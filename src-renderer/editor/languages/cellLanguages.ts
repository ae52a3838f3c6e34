/**
 * The languages of cells that the editor does not bring along: SQL by the kind of database, prompts, widgets. Python,
 * R and Markdown are the editor's own.
 */
import type { languages } from 'monaco-editor/editor';
import {
  conf as pythonConf,
  language as pythonGrammar,
} from 'monaco-editor/languages/definitions/python/python';
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
  for (const [id, dialect] of Object.entries(SQL_DIALECTS))
    register(id, sqlGrammar(dialect), SQL_CONFIGURATION);
  register('cellar-prompt', PROMPT_GRAMMAR, PROMPT_CONFIGURATION);
  register('cellar-widget', widgetGrammar(), pythonConf);
}

/** Python, in which the kinds of controls stand out. */
function widgetGrammar(): languages.IMonarchLanguage {
  const { root = [], ...states } = pythonGrammar.tokenizer;
  const kind: languages.IMonarchLanguageRule = [
    /[a-zA-Z_]\w*(?=\s*\()/,
    { cases: { '@kinds': 'function', '@keywords': 'keyword', '@default': 'identifier' } },
  ];
  return { ...pythonGrammar, kinds: KINDS, tokenizer: { root: [kind, ...root], ...states } };
}
