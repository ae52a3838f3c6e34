/**
 * Changes the list of the notebook's cells from this window (add, move, delete, split, merge); each change is one undo
 * step.
 */

import { LANGUAGES } from '../../src-shared/notebook/languages/languages.ts';
import { withVariant } from '../../src-shared/notebook/variantDirective.ts';
import type { Language, Mount, VariantGroup } from '../../src-shared/wire/cell.ts';
import { isBlankCell } from '../state/blankCell.ts';
import type { Orphan } from '../state/orphans.ts';
import { withFolded } from '../state/sections.ts';
import {
  connectionOfFrames,
  connectionOfNewCell,
  IN_MEMORY_CONNECTION,
  withConnectionLine,
} from '../state/sqlStart.ts';
import { groupOf, groupsOf, shownOrder, variantsToShow, withSiblings } from '../state/variants.ts';
import { EDITING_WORDS } from '../words/editing.ts';
import type { Change, UndoableAction, VariantState } from './history.ts';
import { RestError } from './rest.ts';
import { type PastCell, restoreCells } from './restoreCells.ts';
import { type CellText, type InsertPlace, variantChange } from './shapeChanges.ts';
import type { ShapePort } from './shapePort.ts';

/**
 * Changes to the notebook's cells; each is one undo step. The server announces them to every window, including this
 * one, by notebook_state. A refusal becomes a notice; the changes made before it can still be undone.
 */
export class NotebookShape {
  readonly #port: ShapePort;
  /** Cells whose deletion the server has not answered yet; meanwhile key presses apply to other cells. */
  readonly #leaving = new Map<string, Promise<unknown>>();

  constructor(port: ShapePort) {
    this.#port = port;
  }

  /** Adds a cell below `afterId` (null: at the end) and starts editing it; with `source`, it is only selected. */
  async addCell(place: { afterId: string | null; language: Language; source?: string }): Promise<void> {
    await this.#doAfterDeletes('add', (changes) => this.#add(changes, place));
  }

  async #add(
    changes: Change[],
    place: { afterId: string | null; language: Language; source?: string },
  ): Promise<void> {
    const { language, source } = place;
    const after = place.afterId ?? this.#order().at(-1) ?? null;
    // A SQL cell that was created from a table queries a data frame.
    const start = source === undefined ? connectionOfNewCell : connectionOfFrames;
    const text = await this.#startOf(changes, language, { source, start });
    const id = await this.#port.structure.add({ language, afterId: after });
    changes.push({ kind: 'added', cellId: id });
    if (text !== '') this.#port.edits.write(id, text);
    this.#focus(id, source === undefined ? 'edit' : 'command');
  }

  /** Adds a cell above `beforeId`. */
  async addCellAbove(beforeId: string, language: Language): Promise<void> {
    await this.#doAfterDeletes('add', async (changes) => {
      const order = this.#order();
      const above = order[order.indexOf(beforeId) - 1];
      if (above !== undefined) return this.#add(changes, { afterId: above, language });
      const text = await this.#startOf(changes, language, {});
      const id = await this.#port.structure.add({ afterId: beforeId, language });
      changes.push({ kind: 'added', cellId: id });
      await this.#reorder(changes, [id, ...this.#order().filter((other) => other !== id)]);
      if (text !== '') this.#port.edits.write(id, text);
      this.#focus(id, 'edit');
    });
  }

  /**
   * The initial text of a new cell: a SQL cell names its connection. A connection declared for it is recorded as a
   * change before the cell, so that undo removes it after the cell.
   */
  async #startOf(
    changes: Change[],
    language: Language,
    of: { readonly source?: string | undefined; readonly start?: typeof connectionOfNewCell },
  ): Promise<string> {
    const { source = '', start = connectionOfNewCell } = of;
    if (!LANGUAGES[language].connects) return source;
    const connection = start(this.#port.view());
    const text = withConnectionLine(source, connection);
    if (text !== source && connection === IN_MEMORY_CONNECTION) {
      const isNew = await this.#port.structure.declareConnection({ name: IN_MEMORY_CONNECTION, after: true });
      if (isNew) changes.push({ kind: 'connection', name: IN_MEMORY_CONNECTION, before: false, after: true });
    }
    return text;
  }

  /** Deletes cells immediately; undo restores the same cells. */
  async deleteCells(selectedIds: readonly string[], deed: 'delete' | 'cut' = 'delete'): Promise<void> {
    const { view } = this.#port;
    const cellIds = selectedIds.filter((id) => !this.#leaving.has(id));
    if (cellIds.length === 0) return;
    if (this.#awaitsChoice(cellIds)) return;
    const order = this.#order();
    const last = order.indexOf(cellIds.at(-1) ?? '');
    const first = order.indexOf(cellIds[0] ?? '');
    const places = shownOrder(view());
    const deleted = new Set([...cellIds, ...this.#leaving.keys()]);
    const after = order.slice(last + 1).find((id) => places.includes(id) && !deleted.has(id));
    const group = groupOf(view(), cellIds[0] ?? '');
    const next =
      after ??
      order
        .slice(0, first)
        .filter((id) => places.includes(id) && !deleted.has(id))
        .at(-1) ??
      null;
    const focused = view().focusedId;
    // The next key press applies to the next cell, however long the server takes; a group determines its next member.
    if (group === null && cellIds.includes(focused ?? '')) this.#focus(next, 'command');
    const deleting = this.#do(deed, async (changes) => {
      for (const id of cellIds) {
        await this.#port.structure.remove(id);
        changes.push({ kind: 'deleted', cellId: id });
      }
    });
    for (const id of cellIds) this.#leaving.set(id, deleting);
    this.#showLeaving();
    const deletedCount = await deleting.finally(() => {
      for (const id of cellIds) this.#leaving.delete(id);
      this.#showLeaving();
    });
    if (deletedCount === 0) {
      if (view().focusedId === next) this.#focus(focused, 'command');
      return;
    }
    const remainingGroup = groupsOf(view()).find((one) => one.group === group?.group);
    if (cellIds.includes(view().focusedId ?? ''))
      this.#focus(remainingGroup?.active_cell_id ?? next, 'command');
    this.#port.say(deed === 'cut' ? EDITING_WORDS.cut(deletedCount) : EDITING_WORDS.deleted(deletedCount), {
      undo: true,
    });
  }

  /** Whether one of these texts waits for the person's choice: if so, it gets the focus, with a message. */
  #awaitsChoice(cellIds: readonly string[]): boolean {
    const { drafts } = this.#port.view();
    const refused = cellIds.find((id) => drafts[id]?.state === 'refused');
    if (refused === undefined) return false;
    this.#focus(refused, 'command');
    this.#port.set({ notice: EDITING_WORDS.refusedDraft });
    return true;
  }

  /**
   * Hides the cells that are being deleted. A member of a variant group is not hidden: the group keeps its place and
   * then shows its next member.
   */
  #showLeaving(): void {
    const view = this.#port.view();
    const alone = [...this.#leaving.keys()].filter((id) => groupOf(view, id) === null);
    this.#port.set({ leaving: Object.fromEntries(alone.map((id) => [id, true as const])) });
  }

  /**
   * Performs an action when the server has answered every delete, so that it applies to the remaining cells. An undo
   * in the meantime applies to this action, not to the delete before it.
   */
  #doAfterDeletes(deed: UndoableAction, work: (changes: Change[]) => Promise<void>): Promise<number> {
    return this.#do(deed, async (changes) => {
      await Promise.allSettled(this.#leaving.values());
      await work(changes);
    });
  }

  /** Restores a deleted cell from the history, while the server still has all of it. */
  async bringBack(cellId: string): Promise<boolean> {
    const changeCount = await this.#do('restore', async (changes) => {
      await this.#port.structure.restore(cellId);
      changes.push({ kind: 'added', cellId });
      this.#focus(cellId, 'command');
    });
    return changeCount > 0;
  }

  /** Moves adjacent cells up or down by one. */
  async moveCells(cellIds: readonly string[], by: -1 | 1): Promise<void> {
    await this.#doAfterDeletes('move', async (changes) => {
      // A variant group is one place: it moves as a whole, and other cells move past it as a whole.
      const view = this.#port.view();
      const moving = new Set(withSiblings(view, withFolded(view, cellIds)));
      const places = shownOrder(view);
      const rest = places.filter((id) => !moving.has(id));
      const first = places.findIndex((id) => moving.has(id));
      const to = first + by;
      if (first === -1 || to < 0 || to > rest.length) return;
      const before = rest[to] === undefined ? null : (withSiblings(view, [rest[to]])[0] ?? null);
      await this.#place(changes, [...moving], before);
    });
  }

  /** Moves cells before another one (null: to the end). They keep their order among themselves. */
  async placeCells(cellIds: readonly string[], beforeId: string | null): Promise<void> {
    await this.#doAfterDeletes('move', (changes) => this.#place(changes, cellIds, beforeId));
  }

  async #place(changes: Change[], cellIds: readonly string[], beforeId: string | null): Promise<void> {
    const view = this.#port.view();
    const moving = new Set(withSiblings(view, withFolded(view, cellIds)));
    const order = this.#order();
    const rest = order.filter((id) => !moving.has(id));
    const at = beforeId === null ? rest.length : rest.indexOf(beforeId);
    if (at === -1) return;
    const moved = order.filter((id) => moving.has(id));
    const newOrder = [...rest.slice(0, at), ...moved, ...rest.slice(at)];
    if (newOrder.every((id, index) => id === order[index])) return;
    await this.#reorder(changes, newOrder);
  }

  /** Makes a cell the first variant of a new group, and a copy of it the second. */
  async beginVariants(cellId: string, group: string): Promise<void> {
    const cell = this.#cell(cellId);
    if (cell === null) return;
    await this.#do('variant', async (changes) => {
      this.#write(changes, cellId, withVariant(cell.source, { group, name: 'first' }));
      const id = await this.#port.structure.addVariant(group);
      changes.push({ kind: 'added', cellId: id });
      this.#focus(id, 'command');
    });
  }

  /** Copies a group's active variant, and shows the copy. */
  async addVariant(group: VariantGroup): Promise<void> {
    await this.#do('variant', async (changes) => {
      const id = await this.#port.structure.addVariant(group.group);
      changes.push({ kind: 'added', cellId: id });
      const now = this.#port.view().model.meta?.variant_groups.find((one) => one.group === group.group);
      if (now !== undefined) changes.push(variantChange(group, now));
      this.#focus(id, 'command');
    });
  }

  async chooseVariant(group: VariantGroup, change: Partial<VariantState>): Promise<void> {
    const after = { active: group.active_name, mode: group.mode, ...change };
    await this.#do('variant', async (changes) => {
      await this.#port.structure.chooseVariant({ group: group.group, ...after });
      const before = { active: group.active_name, mode: group.mode };
      changes.push({ kind: 'variant', group: group.group, before, after });
    });
  }

  /** Renames a variant in its own line; if it is the active one, the choice is updated too. */
  async renameVariant(
    group: VariantGroup,
    change: {
      readonly cellId: string;
      readonly before: string;
      readonly name: string;
      readonly source: string;
    },
  ): Promise<void> {
    const { cellId, before, name, source } = change;
    await this.#do('rename', async (changes) => {
      this.#write(changes, cellId, source);
      if (group.active_name !== before || group.mode === 'sweep') return;
      await this.#port.structure.chooseVariant({ group: group.group, active: name, mode: group.mode });
    });
  }

  /** Moves a variant among its siblings; the group keeps its places. */
  async moveVariant(cellId: string, by: -1 | 1): Promise<void> {
    const group = groupOf(this.#port.view(), cellId);
    const ids = group?.members.map((member) => member.cell_id) ?? [];
    const at = ids.indexOf(cellId);
    const other = ids[at + by];
    if (other === undefined) return;
    const swapped = this.#order().map((id) => (id === cellId ? other : id === other ? cellId : id));
    await this.#do('move', (changes) => this.#reorder(changes, swapped));
  }

  async rename(name: string): Promise<void> {
    const before = this.#port.view().model.meta?.name ?? '';
    await this.#do('rename', async (changes) => {
      await this.#port.structure.rename(name);
      changes.push({ kind: 'name', before, after: name });
    });
  }

  /** Changes the notebook's mounts; `before` are the mounts that the change was based on. */
  async setMounts(before: readonly Mount[], after: readonly Mount[]): Promise<boolean> {
    const changeCount = await this.#do('mounts', async (changes) => {
      await this.#port.structure.setMounts(after);
      changes.push({ kind: 'mounts', before, after });
    });
    return changeCount > 0;
  }

  /**
   * Inserts new cells below another one (null: at the end) or before all others, and selects them.
   * @returns whether all were added
   */
  async insertCells(cells: readonly CellText[], place: InsertPlace): Promise<boolean> {
    const { ids, isWhole } = await this.#inserted(cells, place);
    const last = ids.at(-1);
    if (last === undefined) return isWhole;
    this.#focus(last, 'command');
    if (ids.length > 1) this.#port.set({ anchorId: ids[0] ?? null });
    return isWhole;
  }

  /**
   * Puts a text whose cell another person deleted into a new cell. If the caret was in the deleted cell, it moves to
   * the new one; otherwise the focus stays. @returns whether the cell now exists
   */
  async recreate({ cellId, language, source, afterId }: Orphan): Promise<boolean> {
    const isThere = afterId !== null && this.#order().includes(afterId);
    const place = { afterId: isThere ? afterId : null, atTop: afterId === null, deed: 'restore' } as const;
    const { ids, isWhole } = await this.#inserted([{ language, source }], place);
    const [id] = ids;
    const { focusedId, mode, model } = this.#port.view();
    const isElsewhere = focusedId !== null && focusedId !== cellId && model.cells[focusedId] !== undefined;
    if (id !== undefined && !isElsewhere) this.#focus(id, focusedId === cellId ? mode : 'command');
    return isWhole;
  }

  async #inserted(
    cells: readonly CellText[],
    place: InsertPlace,
  ): Promise<{ readonly ids: readonly string[]; readonly isWhole: boolean }> {
    const ids: string[] = [];
    let isWhole = false;
    await this.#doAfterDeletes(place.deed, async (changes) => {
      const above = place.afterId ?? this.#order().at(-1);
      const unused =
        place.replacesBlank === true && isBlankCell(this.#port.view(), above) ? above : undefined;
      await this.#insert(changes, { cells, afterId: place.afterId, ids });
      isWhole = true;
      // Text may have been typed into it meanwhile.
      if (unused !== undefined && isBlankCell(this.#port.view(), unused)) {
        await this.#port.structure.remove(unused);
        changes.push({ kind: 'deleted', cellId: unused });
      }
      const others = this.#order().filter((id) => !ids.includes(id));
      if (place.atTop === true) await this.#reorder(changes, [...ids, ...others]);
    });
    return { ids, isWhole };
  }

  /** Moves the text from `offset` on into a new cell below. */
  async splitCell(cellId: string, offset: number): Promise<void> {
    const ids: string[] = [];
    await this.#doAfterDeletes('split', async (changes) => {
      const cell = this.#cell(cellId);
      if (cell === null) return;
      const top = cell.source.slice(0, offset).replace(/\n+$/, '');
      const rest = cell.source.slice(offset).replace(/^\n+/, '');
      const cells = [{ language: cell.language, source: rest }];
      await this.#insert(changes, { cells, afterId: cellId, ids });
      this.#write(changes, cellId, top);
    });
    const focusId = ids[0] ?? cellId;
    if (this.#cell(focusId) !== null) this.#focus(focusId, 'edit');
  }

  /** Splits a cell into several: it keeps the first text, the others follow in new cells. */
  async splitInto(cellId: string, [first, ...others]: readonly CellText[]): Promise<void> {
    if (first === undefined || others.length === 0) return;
    await this.#doAfterDeletes('split', async (changes) => {
      if (this.#awaitsChoice([cellId])) return;
      await this.#insert(changes, { cells: others, afterId: cellId, ids: [] });
      this.#write(changes, cellId, first.source);
    });
    this.#focus(cellId, 'command');
  }

  /** Merges several cells of one language; the first one stays, with its results. */
  async mergeCells(selectedIds: readonly string[]): Promise<void> {
    await this.#doAfterDeletes('merge', async (changes) => {
      const cellIds = selectedIds.filter((id) => this.#cell(id) !== null);
      const cells = cellIds.map((id) => this.#cell(id));
      const [first, ...others] = cellIds;
      if (first === undefined || others.length === 0) return;
      if (new Set(cells.map((cell) => cell?.language)).size > 1) {
        this.#port.say(EDITING_WORDS.mergeOneLanguage);
        return;
      }
      // Merging would put the other cells' texts into an unsettled draft, and they could be discarded with it.
      if (this.#awaitsChoice(cellIds)) return;
      this.#focus(first, 'command');
      // The text is written first: after a refusal in between, text exists twice and is never missing.
      this.#write(changes, first, cells.map((cell) => cell?.source ?? '').join('\n'));
      for (const id of others) {
        await this.#port.structure.remove(id);
        changes.push({ kind: 'deleted', cellId: id });
      }
    });
  }

  /**
   * Replaces cells by cells of another language (ADR 0005). `convert` may change the text.
   */
  async changeLanguage(
    cellIds: readonly string[],
    language: Language,
    convert: (source: string) => string = (source) => source,
  ): Promise<void> {
    const ids: string[] = [];
    await this.#doAfterDeletes('language', async (changes) => {
      for (const id of cellIds) {
        const cell = this.#cell(id);
        if (cell === null) continue;
        if (cell.language === language) {
          this.#write(changes, id, convert(cell.source));
          continue;
        }
        const source = await this.#startOf(changes, language, { source: convert(cell.source) });
        const cells = [{ language, source }];
        await this.#insert(changes, { cells, afterId: id, ids });
        await this.#port.structure.remove(id);
        changes.push({ kind: 'deleted', cellId: id });
      }
    });
    const last = ids.at(-1);
    if (last !== undefined) this.#focus(last, 'command');
  }

  /** Writes new texts of several cells as one undo step. */
  async writeSources(sources: ReadonlyMap<string, string>, deed: UndoableAction): Promise<void> {
    await this.#do(deed, async (changes) => {
      for (const [id, text] of sources) this.#write(changes, id, text);
    });
  }

  /** Restores earlier states of cells, as one undo step. Returns whether anything changed. */
  async restoreState(cells: readonly PastCell[]): Promise<boolean> {
    const { remove, restore } = this.#port.structure;
    const isThere = (id: string): boolean => this.#cell(id) !== null;
    const changeCount = await this.#doAfterDeletes('restore', async (changes) => {
      if (this.#awaitsChoice(cells.map(({ cellId }) => cellId))) return;
      const write = (id: string, text: string): void => this.#write(changes, id, text);
      return restoreCells(cells, changes, { isThere, remove, restore, write });
    });
    return changeCount > 0;
  }

  async #insert(
    changes: Change[],
    what: { readonly cells: readonly CellText[]; readonly afterId: string | null; readonly ids: string[] },
  ): Promise<void> {
    let { afterId } = what;
    afterId ??= this.#order().at(-1) ?? null;
    for (const { language, source, connection } of what.cells) {
      if (connection !== undefined) {
        const { name, ...of } = connection;
        const isNew = await this.#port.structure.declareConnection({ name, of, after: true });
        if (isNew) changes.push({ kind: 'connection', name, of, before: false, after: true });
      }
      const id: string = await this.#port.structure.add({ afterId, language });
      changes.push({ kind: 'added', cellId: id });
      what.ids.push(id);
      // The server did not announce the new cell in time; the text is still with the caller.
      if (source !== '' && !this.#port.edits.write(id, source)) {
        throw new RestError(EDITING_WORDS.cellCameLate, { status: 0, code: null });
      }
      afterId = id;
    }
  }

  #write(changes: Change[], cellId: string, text: string): void {
    const before = this.#cell(cellId)?.source;
    if (before === undefined || before === text) return;
    this.#port.edits.write(cellId, text);
    changes.push({ kind: 'source', cellId, before, after: text });
  }

  async #reorder(changes: Change[], after: readonly string[]): Promise<void> {
    const before = this.#order();
    await this.#port.structure.reorder(after);
    changes.push({ kind: 'order', before, after });
  }

  /** Performs an action as one undo step; a refusal becomes a notice. @returns the number of changes */
  #do(deed: UndoableAction, work: (changes: Change[]) => Promise<void>): Promise<number> {
    return this.#port.undo.perform(deed, work, (notice) => this.#port.set({ notice }));
  }

  #focus(cellId: string | null, mode: 'command' | 'edit'): void {
    const shownVariants = variantsToShow(this.#port.view(), cellId);
    const focused = { focusedId: cellId, anchorId: null, shownVariants };
    this.#port.set({ ...focused, mode: cellId === null ? 'command' : mode });
  }

  #cell(cellId: string): CellText | null {
    const view = this.#port.view();
    const cell = view.model.cells[cellId]?.cell;
    if (cell === undefined) return null;
    return { language: cell.language, source: view.drafts[cellId]?.text ?? cell.source };
  }

  #order(): readonly string[] {
    return this.#port.view().model.order;
  }
}
