/** The models of a cell's ipywidgets that its display has not needed yet: kept up to date until one is needed. */

import type { CommMessage } from './comm.ts';

/** One widget of `application/vnd.jupyter.widget-state+json`. */
export interface StoredModel {
  readonly model_name: string;
  readonly model_module: string;
  readonly model_module_version: string;
  readonly state: Record<string, unknown>;
  readonly buffers?: readonly { readonly path: readonly (string | number)[]; readonly data: string }[];
}

const REFERENCE = 'IPY_MODEL_';
const VIEW = 'application/vnd.jupyter.widget-view+json';

/**
 * The process of a cell has all its widgets, but a display shows few of them. The others stay here, updated by the
 * messages of the process, until a widget of the display refers to them.
 */
export class StoredModels {
  readonly #models: Map<string, StoredModel>;

  constructor(models: Readonly<Record<string, StoredModel>>) {
    this.#models = new Map(Object.entries(models));
  }

  /** Removes and returns a model that is about to be created; null if it is not here. */
  take(id: string): StoredModel | null {
    const model = this.#models.get(id) ?? null;
    this.#models.delete(id);
    return model;
  }

  /**
   * The models to create for a widget: those it refers to, directly or indirectly, and those without a view that refer
   * to one of these, as links between widgets do.
   * @returns their ids, of models that are here
   */
  neededBy(root: string): readonly string[] {
    const needed = new Set<string>();
    this.#addBelow([root], needed);
    const hidden = [...this.#models].filter(([, model]) => isHidden(model));
    const references = new Map(hidden.map(([id, { state }]) => [id, referencesOf(state)]));
    for (let before = -1; before < needed.size; ) {
      before = needed.size;
      for (const [id, ids] of references)
        if (!needed.has(id) && ids.some((one) => needed.has(one))) this.#addBelow([id], needed);
    }
    return [...needed];
  }

  /** Whether a model has no view and refers to a created widget: it must be created too, as nothing will request it. */
  isAttached(id: string, isCreated: (id: string) => boolean): boolean {
    const model = this.#models.get(id);
    return model !== undefined && isHidden(model) && referencesOf(model.state).some(isCreated);
  }

  /** Applies a message of the process to a model that is not created yet. */
  receive({ type, comm_id: id = '', data = {}, buffers = [] }: CommMessage): void {
    if (type === 'comm_close') this.#models.delete(id);
    const { state, method } = data;
    if (typeof state !== 'object' || state === null) return;
    const paths = (data['buffer_paths'] ?? []) as readonly (readonly (string | number)[])[];
    const added = paths.map((path, at) => ({ path, data: buffers[at] ?? '' }));
    if (type === 'comm_open') {
      const fields = state as Record<string, unknown>;
      this.#models.set(id, {
        model_name: String(fields['_model_name'] ?? ''),
        model_module: String(fields['_model_module'] ?? ''),
        model_module_version: String(fields['_model_module_version'] ?? ''),
        state: fields,
        buffers: added,
      });
      return;
    }
    const model = this.#models.get(id);
    if (model === undefined || (method !== 'update' && method !== 'echo_update')) return;
    const others = (model.buffers ?? []).filter(({ path }) => !Object.hasOwn(state, path[0] ?? ''));
    this.#models.set(id, {
      ...model,
      state: { ...model.state, ...state },
      buffers: [...others, ...added],
    });
  }

  #addBelow(ids: readonly string[], needed: Set<string>): void {
    const pending = [...ids];
    for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
      const model = this.#models.get(id);
      if (model === undefined || needed.has(id)) continue;
      needed.add(id);
      pending.push(...referencesOf(model.state));
    }
  }
}

/** Whether a model has no view, as links. Layouts and styles have none either, but they refer to no other model. */
function isHidden({ state }: StoredModel): boolean {
  return (state['_view_name'] ?? null) === null;
}

/** Ids of the widgets that a part of a state names, including those in the displays of an Output widget. */
function referencesOf(part: unknown): readonly string[] {
  if (typeof part === 'string') return part.startsWith(REFERENCE) ? [part.slice(REFERENCE.length)] : [];
  if (typeof part !== 'object' || part === null || ArrayBuffer.isView(part)) return [];
  const view = (part as Readonly<Record<string, unknown>>)[VIEW] as
    | { readonly model_id?: unknown }
    | undefined;
  const viewIds = typeof view?.model_id === 'string' ? [view.model_id] : [];
  return [...viewIds, ...Object.values(part).flatMap(referencesOf)];
}
