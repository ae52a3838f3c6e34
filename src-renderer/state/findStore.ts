/** The store of find and replace: the query, its options, and the position among the matches. */

import { createStore } from 'zustand/vanilla';

export interface FindOptions {
  readonly matchCase: boolean;
  readonly wholeWord: boolean;
  readonly regex: boolean;
}

/** The search in a notebook. It is preserved while the bar is closed, so that the bar reopens with it. */
interface FindState {
  readonly open: boolean;
  /** Whether the replacement field is shown. */
  readonly replacing: boolean;
  readonly query: string;
  readonly replacement: string;
  readonly options: FindOptions;
  /** Incremented to request the focus for the bar. */
  readonly asked: number;
  /** Steps to another match requested since the bar was opened: the last direction, and their number. */
  readonly steps: { readonly by: 1 | -1; readonly nth: number };
}

interface FindActions {
  /** Called when the page shows this notebook: restores its search. */
  readonly enter: (notebook: string) => void;
  readonly show: (options: { readonly replace: boolean; readonly query?: string }) => void;
  readonly close: () => void;
  readonly look: (
    change: Partial<Pick<FindState, 'query' | 'replacement' | 'options' | 'replacing'>>,
  ) => void;
  readonly step: (by: 1 | -1) => void;
}

const NOTHING: FindState = {
  open: false,
  replacing: false,
  query: '',
  replacement: '',
  options: { matchCase: false, wholeWord: false, regex: false },
  asked: 0,
  steps: { by: 1, nth: 0 },
};

/** The searches of notebooks that this page showed earlier. */
const statesByNotebook = new Map<string, FindState>();
let shownNotebook: string | null = null;

export const findStore = createStore<FindState & FindActions>((set, get) => ({
  ...NOTHING,
  enter: (notebook) => {
    if (notebook === shownNotebook) return;
    const { open, replacing, query, replacement, options, asked, steps } = get();
    if (shownNotebook !== null)
      statesByNotebook.set(shownNotebook, { open, replacing, query, replacement, options, asked, steps });
    set(statesByNotebook.get(notebook) ?? NOTHING);
    shownNotebook = notebook;
  },
  show: ({ replace, query }) =>
    set({
      open: true,
      asked: get().asked + 1,
      replacing: replace || (get().open && get().replacing),
      ...(query === undefined || query === '' ? {} : { query }),
    }),
  close: () => set({ open: false }),
  look: (change) => set(change),
  step: (by) => {
    if (!get().open) get().show({ replace: false });
    set({ steps: { by, nth: get().steps.nth + 1 } });
  },
}));
