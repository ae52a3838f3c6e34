/**
 * Sections of a notebook: a text cell with a heading and the cells below it, up to the next heading of its level or
 * above. A section can be folded: its cells stay in the notebook and run as before, but the column leaves them out.
 */

import { headingsOf } from '../../src-shared/notebook/headings.ts';
import { LANGUAGES } from '../../src-shared/notebook/languages/languages.ts';
import type { NotebookModel } from './notebookModel.ts';
import type { NotebookStore, NotebookView } from './notebookStore.ts';

type Sectioned = Pick<NotebookView, 'foldedSections'> & {
  readonly model: Pick<NotebookModel, 'order' | 'cells'>;
};

/** The level of the first heading of a text cell; null if the cell starts no section. */
function levelOf({ cells }: Sectioned['model'], id: string): number | null {
  const cell = cells[id]?.cell;
  if (cell === undefined || LANGUAGES[cell.language].runs) return null;
  return headingsOf(cell.source)[0]?.level ?? null;
}

/** Cached by model, because every text cell needs them at every change of the view, including key presses. */
const cachedSections = new WeakMap<object, ReadonlyMap<string, readonly string[]>>();

/** The cells of each section, by the cell of its heading. */
function sectionsIn(model: Sectioned['model']): ReadonlyMap<string, readonly string[]> {
  const before = cachedSections.get(model);
  if (before !== undefined) return before;
  const sections = new Map<string, string[]>();
  const open: { readonly level: number; readonly cells: string[] }[] = [];
  for (const id of model.order) {
    const level = levelOf(model, id);
    while (level !== null && (open.at(-1)?.level ?? 0) >= level) open.pop();
    for (const { cells } of open) cells.push(id);
    if (level === null) continue;
    const cells: string[] = [];
    sections.set(id, cells);
    open.push({ level, cells });
  }
  cachedSections.set(model, sections);
  return sections;
}

const NO_CELLS: readonly string[] = [];

/** The cells below a heading that belong to it, in notebook order. */
export function sectionOf({ model }: Sectioned, headingId: string): readonly string[] {
  return sectionsIn(model).get(headingId) ?? NO_CELLS;
}

/** These cells and those hidden by their folded headings, which move together. */
export function withFolded(view: Sectioned, cellIds: readonly string[]): readonly string[] {
  return cellIds.flatMap((id) => (view.foldedSections[id] === true ? [id, ...sectionOf(view, id)] : [id]));
}

/** The cells that start a section with at least one cell below. */
export function sectionIds(view: Sectioned): readonly string[] {
  return view.model.order.filter((id) => sectionOf(view, id).length > 0);
}

/** The heading of the section that contains the focused cell; null if there is none. */
export function sectionAround(view: Sectioned & Pick<NotebookView, 'focusedId'>): string | null {
  const { focusedId } = view;
  if (focusedId === null) return null;
  if (sectionOf(view, focusedId).length > 0) return focusedId;
  return sectionIds(view).findLast((id) => sectionOf(view, id).includes(focusedId)) ?? null;
}

const NONE: ReadonlySet<string> = new Set();
let last: { readonly view: Sectioned; readonly hidden: ReadonlySet<string> } | null = null;

/** The cells that folded sections hide. */
export function hiddenBySections(view: Sectioned): ReadonlySet<string> {
  const { foldedSections, model } = view;
  const ids = Object.keys(foldedSections);
  if (ids.length === 0) return NONE;
  const isSame =
    last?.view.foldedSections === foldedSections &&
    last.view.model.order === model.order &&
    last.view.model.cells === model.cells;
  if (last !== null && isSame) return last.hidden;
  const hidden = new Set(ids.flatMap((id) => sectionOf(view, id)));
  const isEqual =
    last !== null &&
    hidden.size === last.hidden.size &&
    [...hidden].every((id) => last?.hidden.has(id) === true);
  last = { view: { foldedSections, model }, hidden: isEqual && last !== null ? last.hidden : hidden };
  return last.hidden;
}

/** Folds or unfolds a section. If the focused cell becomes hidden, the heading gets the focus. */
export function foldSection(store: NotebookStore, headingId: string, isFolded: boolean): void {
  const view = store.getState();
  const { [headingId]: _was, ...others } = view.foldedSections;
  const inside = new Set(isFolded ? sectionOf(view, headingId) : []);
  const isFocusInside = view.focusedId !== null && inside.has(view.focusedId);
  store.setState({
    foldedSections: isFolded ? { ...others, [headingId]: true } : others,
    ...(isFocusInside ? { focusedId: headingId, anchorId: null, mode: 'command' as const } : {}),
  });
}

export function foldAllSections(store: NotebookStore, isFolded: boolean): void {
  const view = store.getState();
  const ids = isFolded ? sectionIds(view) : [];
  const foldedSections = Object.fromEntries(ids.map((id) => [id, true as const]));
  const heading =
    isFolded && hiddenBySections({ ...view, foldedSections }).has(view.focusedId ?? '')
      ? ids.find((id) => sectionOf(view, id).includes(view.focusedId ?? ''))
      : undefined;
  const focus = heading === undefined ? {} : { focusedId: heading, anchorId: null, mode: 'command' as const };
  store.setState({ foldedSections, ...focus });
}

/**
 * Unfolds the sections around a cell that gets the focus.
 * @returns a function that stops this
 */
export function unfoldOnFocus(store: NotebookStore): () => void {
  const show = (view: NotebookView): void => {
    const hidden = hiddenBySections(view);
    const hiddenTargets = [view.focusedId, view.wantedId].filter((id) => id !== null && hidden.has(id));
    if (hiddenTargets.length === 0) return;
    const foldedHeadings = Object.keys(view.foldedSections).filter(
      (heading) => !sectionOf(view, heading).some((id) => hiddenTargets.includes(id)),
    );
    store.setState({ foldedSections: Object.fromEntries(foldedHeadings.map((id) => [id, true as const])) });
  };
  return store.subscribe((now, before) => {
    const isOther = now.focusedId !== before.focusedId || now.wantedId !== before.wantedId;
    if (isOther && Object.keys(now.foldedSections).length > 0) show(now);
  });
}
