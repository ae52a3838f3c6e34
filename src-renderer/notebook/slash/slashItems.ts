/** The items of the slash menu (languages, the user's snippets, other snippets), filtered by the typed words. */

import type { Language } from '../../../src-shared/wire/cell.ts';
import type { OwnSnippet } from '../../../src-shared/wire/routes/snippets.ts';
import { CELL_LANGUAGES, OFFERED_LANGUAGES } from '../../state/cellLanguages.ts';
import { SLASH_WORDS as W } from '../../words/slash.ts';

/** An item of the menu: another language, or a text to start with. */
export interface SlashItem {
  readonly id: string;
  readonly title: string;
  readonly language: Language;
  /** The text of the cell; empty for an empty cell of the language. */
  readonly source: string;
  /** Further search words. */
  readonly words: string;
}

const LANGUAGES: readonly SlashItem[] = OFFERED_LANGUAGES.map((language) => {
  const { menu, find } = CELL_LANGUAGES[language];
  return { id: language, title: menu, language, source: '', words: find };
});

const SNIPPETS: readonly SlashItem[] = [
  snippet(
    'csv',
    'python',
    'import pandas as pd\n\ndata = pd.read_csv("data.csv")\ndata',
    'read load table file',
  ),
  snippet('group', 'python', 'data.groupby("column")["value"].sum().reset_index()', 'aggregate sum pivot'),
  snippet(
    'line',
    'python',
    'import matplotlib.pyplot as plt\n\nfig, ax = plt.subplots()\nax.plot([1, 2, 3], [1, 4, 9])\nax.set(xlabel="x", ylabel="y")\nfig',
    'plot chart matplotlib figure',
  ),
  snippet(
    'bar',
    'python',
    'import matplotlib.pyplot as plt\n\nfig, ax = plt.subplots()\nax.bar(["a", "b", "c"], [3, 1, 2])\nfig',
    'plot chart matplotlib figure',
  ),
  snippet('function', 'python', 'def name(value):\n    return value', 'def'),
  snippet('select', 'sql', 'SELECT *\nFROM table_name\nLIMIT 100', 'query'),
  snippet(
    'count',
    'sql',
    'SELECT column_name, count(*) AS n\nFROM table_name\nGROUP BY column_name\nORDER BY n DESC',
    'group',
  ),
  snippet('heading', 'markdown', '# Heading', 'title section'),
  snippet('callout', 'markdown', '> [!NOTE]\n> Text', 'note warning tip'),
  snippet('table', 'markdown', '| Name | Value |\n|---|---|\n| a | 1 |', ''),
  snippet('diagram', 'markdown', '```mermaid\nflowchart LR\n  a --> b\n```', 'mermaid flow'),
];

function snippet(id: keyof typeof W.snippet, of: Language, source: string, words: string): SlashItem {
  return { id: `${of} ${id}`, title: W.snippet[id], language: of, source, words };
}

/** The words after the slash, or null if the text is no query of the menu. */
export function slashQuery(text: string): string | null {
  return /^\/[\p{L} ]*$/u.test(text) ? text.slice(1).trim().toLowerCase() : null;
}

/**
 * The items that match the typed words: languages, the user's snippets, other snippets. Each typed word must start a
 * word of the item.
 */
export function slashItems(query: string, own: readonly OwnSnippet[]): readonly SlashItem[] {
  const typed = query.split(/\s+/).filter((word) => word !== '');
  const added = own.map(
    ({ name, language, source }, nth): SlashItem => ({
      id: `own ${nth}`,
      title: name,
      language,
      source,
      words: 'own mine',
    }),
  );
  return [...LANGUAGES, ...added, ...SNIPPETS].filter(({ title, language: of, words }) => {
    const parts = `${title} ${of} ${words}`.toLowerCase().split(/[^\p{L}]+/u);
    return typed.every((word) => parts.some((one) => one.startsWith(word)));
  });
}
