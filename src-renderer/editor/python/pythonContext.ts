import type {
  LanguageAnswer,
  LanguagePlace,
  LanguageQuestion,
} from '../../../src-shared/wire/routes/language.ts';

/** What the editor needs for a Python cell: language services, and actions on their answers. */
export interface PythonContext {
  /** Null if there is no answer. */
  readonly ask: (question: LanguageQuestion, signal?: AbortSignal) => Promise<LanguageAnswer | null>;
  /** Goes to a definition. */
  readonly goTo: (place: LanguagePlace) => void;
  /** Lists the uses of a name; the person chooses one to go to. */
  readonly showUses: (name: string, places: readonly LanguagePlace[]) => void;
  /** Asks the person for a new name, then renames. */
  readonly rename: (name: string, ask: (newName: string) => Promise<LanguageAnswer | null>) => void;
  readonly say: (words: string) => void;
  /** Names that the completion of other cells' names already offers. */
  readonly offered: () => ReadonlySet<string>;
}
