/** The widget manager inside an output's frame: creates ipywidgets and connects them with their cell's process. */

import * as base from '@jupyter-widgets/base';
import { ManagerBase } from '@jupyter-widgets/base-manager';
import * as controls from '@jupyter-widgets/controls';
import type { AmdModules, ModuleExports } from './amdModules.ts';
import { takeDefinedFactory } from './define.ts';
import 'anywidget';
import { type CommMessage, FrameComm, fromBase64, type Send } from './comm.ts';
import { MissingModel, MissingView } from './missing.ts';
import { OutputModel, OutputView } from './outputWidget.ts';
import { type StoredModel, StoredModels } from './storedModels.ts';

/** The stored state of widgets (application/vnd.jupyter.widget-state+json). */
export interface WidgetState {
  readonly state: Readonly<Record<string, StoredModel>>;
}

const MODULES: Readonly<Record<string, ModuleExports>> = {
  '@jupyter-widgets/base': base,
  '@jupyter-widgets/controls': controls,
  '@jupyter-widgets/output': { OutputModel, OutputView },
  anywidget: takeDefinedFactory()(base),
};

/**
 * The widgets of one display. With `send` they are connected to their cell's process; without it, they show a stored
 * state with disabled controls.
 */
export class FrameManager extends ManagerBase {
  readonly #send: Send | null;
  readonly #own: AmdModules;
  readonly #comms = new Map<string, FrameComm>();
  readonly #waiting = new Map<string, base.ICallbacks>();
  #stored = new StoredModels({});

  /** @param own the modules stored with the display */
  constructor(send: Send | null, own: AmdModules) {
    super();
    this.#send = send;
    this.#own = own;
  }

  /** Creates the models that a widget needs; others are created when one of these refers to them. */
  async load({ state }: WidgetState, root: string): Promise<void> {
    this.#stored = new StoredModels(state);
    await this.#makeFor(root);
  }

  override async get_model(id: string): Promise<base.WidgetModel> {
    // Not awaited: models may refer to each other, so each must be registered before any is awaited.
    if (!this.has_model(id)) void this.#makeFor(id).catch((error: unknown) => console.error(error));
    return super.get_model(id);
  }

  async #makeFor(root: string): Promise<void> {
    await Promise.all(this.#stored.neededBy(root).map((id) => this.#make(id)));
  }

  async #make(id: string): Promise<void> {
    const stored = this.#stored.take(id);
    if (stored === null) return;
    const buffers = stored.buffers ?? [];
    base.put_buffers(
      stored.state as base.Dict<base.BufferJSON>,
      buffers.map(({ path }) => [...path]),
      buffers.map(({ data }) => new DataView(fromBase64(data))),
    );
    if (this.#send === null && 'disabled' in stored.state) stored.state['disabled'] = true;
    const { model_name, model_module, model_module_version } = stored;
    const comm = this.#commOf(id);
    const options = { model_id: id, model_name, model_module, model_module_version };
    await this.new_model(comm === null ? options : { ...options, comm }, stored.state as never);
  }

  /** Handles a message of the cell's process. */
  receive(message: CommMessage): void {
    if (message.type === 'done') {
      const callbacks = this.#waiting.get(message.msg_id ?? '');
      this.#waiting.delete(message.msg_id ?? '');
      callbacks?.iopub?.status?.({ content: { execution_state: 'idle' } } as never);
      return;
    }
    const id = message.comm_id ?? '';
    if (this.has_model(id)) {
      if (message.type !== 'comm_open') this.#comms.get(id)?.receive(message);
      return;
    }
    this.#stored.receive(message);
    if (message.type !== 'comm_open' || !this.#stored.isAttached(id, (one) => this.has_model(one))) return;
    this.#makeFor(id).catch((error: unknown) => console.error(error));
  }

  override async _create_comm(_target: string, id: string): Promise<base.IClassicComm> {
    const comm = this.#commOf(id);
    if (comm === null) throw new Error('These widgets show their last state.');
    return comm as unknown as base.IClassicComm;
  }

  override async _get_comm_info(): Promise<Record<string, never>> {
    return {};
  }

  override async loadClass(name: string, module: string): Promise<never> {
    const loaded = this.#classOf(name, module);
    if (loaded === undefined) throw new Error(`${module} has no ${name}`);
    return loaded as never;
  }

  override async loadModelClass(name: string, module: string): Promise<never> {
    return (this.#classOf(name, module) ?? MissingModel) as never;
  }

  override async loadViewClass(name: string, module: string): Promise<never> {
    return (this.#classOf(name, module) ?? MissingView) as never;
  }

  /** Why the JavaScript of a library failed; null if it works or was not stored with the display. */
  failureOf(module: string): string | null {
    return this.#own.failureOf(module);
  }

  #classOf(name: string, module: string): unknown {
    return (MODULES[module] ?? this.#own.load(module))?.[name];
  }

  #commOf(id: string): FrameComm | null {
    if (this.#send === null) return null;
    const openComm = this.#comms.get(id);
    if (openComm !== undefined) return openComm;
    const comm = new FrameComm(id, this.#send, this.#waiting);
    this.#comms.set(id, comm);
    return comm;
  }
}
