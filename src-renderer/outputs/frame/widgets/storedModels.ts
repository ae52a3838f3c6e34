/** Models of a cell's widgets that a frame has not made yet. */

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
 * The process of a cell has all its widgets, a display shows few of them. The others wait here, changed by the messages of the
 * process, until a widget of the display refers to them.
 */
export class StoredModels {
  readonly #models: Map<string, StoredModel>;

  constructor(models: Readonly<Record<string, StoredModel>>) {
    this.#models = new Map(Object.entries(models));
  }

  /** Removes a model, which is made now; null: it is not here. */
  take(id: string): StoredModel | null {
    const model = this.#models.get(id) ?? null;
    this.#models.delete(id);
    return model;
  }

  /**
   * The models to make for a widget: those it refers to, directly or not, and those without a view that refer to one of
   * these, as links between widgets do.
   * @returns ids of models that are here
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

  /** Whether a model has no view and refers to a widget that `isMade`: it must be made, since nothing will ask for it. */
  isAttached(id: string, isMade: (id: string) => boolean): boolean {
    const model = this.#models.get(id);
    return model !== undefined && isHidden(model) && referencesOf(model.state).some(isMade);
  }

  /** Takes a message of the process about a model that is not made. */
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
    const left = [...ids];
    for (let id = left.pop(); id !== undefined; id = left.pop()) {
      const model = this.#models.get(id);
      if (model === undefined || needed.has(id)) continue;
      needed.add(id);
      left.push(...referencesOf(model.state));
    }
  }
}

/** Links have no view. Layouts and styles have none either, but refer to nothing. */
function isHidden({ state }: StoredModel): boolean {
  return (state['_view_name'] ?? null) === null;
}

/** Ids of the widgets that a part of a state names, those in the displays of an Output included. */
function referencesOf(part: unknown): readonly string[] {
  if (typeof part === 'string') return part.startsWith(REFERENCE) ? [part.slice(REFERENCE.length)] : [];
  if (typeof part !== 'object' || part === null || ArrayBuffer.isView(part)) return [];
  const view = (part as Readonly<Record<string, unknown>>)[VIEW] as
    | { readonly model_id?: unknown }
    | undefined;
  const viewIds = typeof view?.model_id === 'string' ? [view.model_id] : [];
  return [...viewIds, ...Object.values(part).flatMap(referencesOf)];
}
