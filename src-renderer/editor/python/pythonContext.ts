import type {
  LanguageAnswer,
  LanguagePlace,
  LanguageQuestion,
} from '../../../src-shared/wire/routes/language.ts';

/** What the editor needs for a Python cell: language services, and where their answers lead. */
export interface PythonContext {
  /** Null: there is no answer. */
  readonly ask: (question: LanguageQuestion, signal?: AbortSignal) => Promise<LanguageAnswer | null>;
  /** Leads to a definition. */
  readonly goTo: (place: LanguagePlace) => void;
  /** Shows the uses of a name, to choose from. */
  readonly showUses: (name: string, places: readonly LanguagePlace[]) => void;
  /** Asks the person for a new name, then renames. */
  readonly rename: (name: string, ask: (newName: string) => Promise<LanguageAnswer | null>) => void;
  readonly say: (words: string) => void;
  /** Names that the list of other cells offers already. */
  readonly offered: () => ReadonlySet<string>;
}
