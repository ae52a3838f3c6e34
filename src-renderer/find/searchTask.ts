/**
 * A search or replacement of find and replace as data, so that it can run on a separate thread (`searchInThread.ts`): a
 * person's regular expression may take forever on some texts. Pure.
 */

import { offsetsIn, type Replacing, replaceAll, replaceAt } from './searchText.ts';

export type SearchTask =
  /** The matches of each text: at most `mostEach` in one text and `most` in all. */
  | {
      readonly kind: 'find';
      readonly regexp: RegExp;
      readonly texts: readonly string[];
      readonly most: number;
      readonly mostEach: number;
    }
  /** The texts with every match replaced, and how many there were. */
  | { readonly kind: 'replaceAll'; readonly replacing: Replacing; readonly texts: readonly string[] }
  /** A text with the match at `start` replaced, and whether the inserted text matches again. */
  | {
      readonly kind: 'replaceAt';
      readonly replacing: Replacing;
      readonly text: string;
      readonly start: number;
    };

/** Start and end of each match of one text, one after the other. */
type Offsets = readonly number[];

interface SearchAnswers {
  readonly find: readonly Offsets[];
  readonly replaceAll: { readonly texts: readonly string[]; readonly count: number };
  readonly replaceAt: { readonly text: string; readonly again: boolean };
}

export type AnswerOf<Task extends SearchTask> = SearchAnswers[Task['kind']];

const DO: { readonly [Kind in SearchTask['kind']]: (task: Extract<SearchTask, { kind: Kind }>) => unknown } =
  {
    find: ({ regexp, texts, most, mostEach }) => {
      let budget = most;
      return texts.map((text) => {
        const offsets = offsetsIn(text, regexp, Math.min(budget, mostEach));
        budget -= offsets.length / 2;
        return offsets;
      });
    },
    replaceAll: ({ replacing, texts }) => {
      let count = 0;
      const replaced = texts.map((text) => {
        count += offsetsIn(text, replacing.regexp, Number.POSITIVE_INFINITY).length / 2;
        return replaceAll(text, replacing);
      });
      return { texts: replaced, count };
    },
    replaceAt: ({ replacing, text, start }) => ({
      text: replaceAt(text, start, replacing),
      again: offsetsIn(replacing.by, replacing.regexp, 1).length > 0,
    }),
  };

export function performSearch<Task extends SearchTask>(task: Task): AnswerOf<Task> {
  const work = DO[task.kind] as (task: SearchTask) => unknown; // DO has a function for each kind
  return work(task) as AnswerOf<Task>; // whose result type is in SearchAnswers
}
