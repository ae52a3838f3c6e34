/**
 * Changes the layout of the app view. A change is shown immediately; changes are sent one after another, each value by
 * itself, so that windows that change different values both keep theirs. A refused change is reverted with a message.
 */
import {
  inverseAppEdit,
  NO_APP_LAYOUT,
  sameAppEdit,
  withAppEdit,
} from '../../src-shared/notebook/appEdit.ts';
import type { AppEdit, AppLayout } from '../../src-shared/wire/appLayout.ts';
import type { NotebookView } from '../state/notebookStore.ts';
import type { SessionPort } from './edits.ts';
import type { Change } from './history.ts';
import { callRoute, RestError } from './rest.ts';

interface AppLayoutHooks {
  /** The notebook's undo. */
  readonly undo: () => {
    readonly note: (deed: 'layout', changes: readonly Change[]) => void;
    readonly undo: () => Promise<void>;
    readonly redo: () => Promise<void>;
  };
  readonly say: (words: string) => void;
}

/** The layout as this window shows it: the server's, with the changes that are being sent. */
export function appLayoutOf({ model, appEdits }: Pick<NotebookView, 'model' | 'appEdits'>): AppLayout {
  const saved = model.meta?.app ?? NO_APP_LAYOUT;
  return appEdits.length === 0 ? saved : shownLayout(saved, appEdits);
}

const cachedLayouts = new WeakMap<
  readonly AppEdit[],
  { readonly of: AppLayout; readonly layout: AppLayout }
>();

/** The layout with the edits; returns the same object while nothing changes. */
function shownLayout(saved: AppLayout, edits: readonly AppEdit[]): AppLayout {
  const cached = cachedLayouts.get(edits);
  if (cached?.of === saved) return cached.layout;
  const layout = edits.reduce(withAppEdit, saved);
  cachedLayouts.set(edits, { of: saved, layout });
  return layout;
}

export class AppLayouts {
  readonly #port: Pick<SessionPort, 'view' | 'set'>;
  readonly #hooks: AppLayoutHooks;
  #turn: Promise<unknown> = Promise.resolve();
  #steps: Promise<void> = Promise.resolve();

  constructor(port: Pick<SessionPort, 'view' | 'set'>, hooks: AppLayoutHooks) {
    this.#port = port;
    this.#hooks = hooks;
  }

  /** Makes a change as one undo step; a change without effect is not sent. */
  async change(after: AppEdit): Promise<void> {
    const before = inverseAppEdit(appLayoutOf(this.#port.view()), after);
    if (sameAppEdit(before, after)) return;
    try {
      await this.apply(after);
      this.#hooks.undo().note('layout', [{ kind: 'app', before, after }]);
    } catch (error) {
      if (!(error instanceof RestError)) throw error;
      this.#hooks.say(error.message);
    }
  }

  /**
   * Undoes or redoes the newest change if it is one of the layout, after the changes that are being sent. Other changes
   * are undone in the notebook, where the person sees them.
   */
  step(way: 'undo' | 'redo'): Promise<void> {
    this.#steps = this.#steps.then(async () => {
      await this.#turn;
      if (this.#port.view()[way] === 'layout') await this.#hooks.undo()[way]();
    });
    return this.#steps;
  }

  /** Makes a change without recording it. @throws RestError */
  apply(edit: AppEdit): Promise<void> {
    this.#port.set({ appEdits: [...this.#port.view().appEdits, edit] });
    const request = this.#turn.then(() => this.#send(edit));
    this.#turn = request.catch(() => undefined);
    return request;
  }

  async #send(edit: AppEdit): Promise<void> {
    const sid = this.#port.view().sessionId;
    try {
      // The wire's types are not readonly; the shape is the same.
      const body = structuredClone(edit) as Parameters<typeof callRoute<'setAppLayout'>>[1]['body'];
      const app = await callRoute('setAppLayout', { params: { sid }, body });
      const { model } = this.#port.view();
      if (model.meta !== null) this.#port.set({ model: { ...model, meta: { ...model.meta, app } } });
    } finally {
      this.#port.set({ appEdits: this.#port.view().appEdits.filter((one) => one !== edit) });
    }
  }
}
