/** The languages of cells as the window names and offers them in menus. */

import type { Language } from '../../src-shared/wire/cell.ts';

/** One language of cells. */
interface OfferedLanguage {
  /** The name shown beside a cell's name. */
  readonly name: string;
  /** Whether it is the default language, which is not named beside each of its cells. */
  readonly isDefault: boolean;
  /** Whether it has its own button where cells are added. */
  readonly hasButton: boolean;
  /** Monaco's id for the language. */
  readonly editor: string;
  /** The language's label in the menu of an empty cell, and further search words for it. */
  readonly menu: string;
  readonly find: string;
  /** The titles of the commands that add a cell and that change cells to the language. */
  readonly add: string;
  readonly change: string;
  /** The end of the id of the command that changes cells to it, and the keys of that command. */
  readonly command: string;
  readonly keys: readonly string[];
}

/** Each language's texts for the window, in the order of the menus. */
export const CELL_LANGUAGES: Readonly<Record<Language, OfferedLanguage>> = {
  python: {
    isDefault: true,
    hasButton: true,
    name: 'Python',
    editor: 'python',
    menu: 'Python',
    find: 'code',
    add: 'Add Python cell',
    change: 'Change to Python',
    command: 'Code',
    keys: ['y'],
  },
  sql: {
    isDefault: false,
    hasButton: false,
    name: 'SQL',
    editor: 'cellar-sql',
    menu: 'SQL',
    find: 'query database',
    add: 'Add SQL cell',
    change: 'Change to SQL',
    command: 'Sql',
    keys: [],
  },
  markdown: {
    isDefault: false,
    hasButton: true,
    name: 'Text',
    editor: 'markdown',
    menu: 'Text (Markdown)',
    find: 'text md note',
    add: 'Add text',
    change: 'Change to text',
    command: 'Text',
    keys: ['m'],
  },
  r: {
    isDefault: false,
    hasButton: false,
    name: 'R',
    editor: 'r',
    menu: 'R',
    find: '',
    add: 'Add R cell',
    change: 'Change to R',
    command: 'R',
    keys: ['r'],
  },
  prompt: {
    isDefault: false,
    hasButton: false,
    name: 'Prompt',
    editor: 'cellar-prompt',
    menu: 'Prompt',
    find: 'ai model',
    add: 'Add prompt',
    change: 'Change to prompt',
    command: 'Prompt',
    keys: [],
  },
  widget: {
    isDefault: false,
    hasButton: false,
    name: 'Widget',
    editor: 'cellar-widget',
    menu: 'Controls',
    find: 'controls slider input',
    add: 'Add widget',
    change: 'Change to widget',
    command: 'Widget',
    keys: [],
  },
};

/** All languages, in the order of the menus. */
export const OFFERED_LANGUAGES = Object.keys(CELL_LANGUAGES) as readonly Language[]; // its keys are checked above

/** The languages without their own button where cells are added. */
export const OTHER_LANGUAGES = OFFERED_LANGUAGES.filter((language) => !CELL_LANGUAGES[language].hasButton);
