import * as base from '@jupyter-widgets/base';
import { ManagerBase } from '@jupyter-widgets/base-manager';
import * as controls from '@jupyter-widgets/controls';
import { takeDefined } from './define.ts';
import 'anywidget';
import { type CommMessage, FrameComm, fromBase64, type Send } from './comm.ts';
import { MissingModel, MissingView } from './missing.ts';
import { OutputModel, OutputView } from './outputWidget.ts';

/** The state of widgets as it is stored (application/vnd.jupyter.widget-state+json). */
export interface WidgetState {
  readonly state: Readonly<Record<string, StoredModel>>;
}

interface StoredModel {
  readonly model_name: string;
  readonly model_module: string;
  readonly model_module_version: string;
  readonly state: Record<string, unknown>;
  readonly buffers?: readonly { readonly path: readonly (string | number)[]; readonly data: string }[];
}

type Classes = Readonly<Record<string, unknown>>;

const MODULES: Readonly<Record<string, Classes>> = {
  '@jupyter-widgets/base': base,
  '@jupyter-widgets/controls': controls,
  '@jupyter-widgets/output': { OutputModel, OutputView },
  anywidget: takeDefined()(base),
};

/**
 * The widgets of one display. With `send` they are connected to their cell's process; without, they show a stored
 * state and its controls are disabled.
 */
export class FrameManager extends ManagerBase {
  readonly #send: Send | null;
  readonly #comms = new Map<string, FrameComm>();
  readonly #waiting = new Map<string, base.ICallbacks>();

  constructor(send: Send | null) {
    super();
    this.#send = send;
  }

  /** Makes the models of a stored state; each is registered before any of them is awaited. */
  async load({ state }: WidgetState): Promise<void> {
    const models = Object.entries(state).map(([id, stored]) => {
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
      return this.new_model(comm === null ? options : { ...options, comm }, stored.state as never);
    });
    await Promise.all(models);
  }

  /** Takes a message of the cell's process. */
  receive(message: CommMessage): void {
    if (message.type === 'done') {
      const callbacks = this.#waiting.get(message.msg_id ?? '');
      this.#waiting.delete(message.msg_id ?? '');
      callbacks?.iopub?.status?.({ content: { execution_state: 'idle' } } as never);
      return;
    }
    const id = message.comm_id ?? '';
    if (message.type === 'comm_open') {
      if (this.has_model(id)) return;
      const comm = this.#commOf(id);
      if (comm === null) return;
      const content = { comm_id: id, target_name: 'jupyter.widget', data: message.data ?? {} };
      const buffers = (message.buffers ?? []).map((one) => new DataView(fromBase64(one)));
      const opened = { content, buffers, metadata: { version: base.PROTOCOL_VERSION } };
      this.handle_comm_open(comm as never, opened as never).catch((error: unknown) => console.error(error));
      return;
    }
    this.#comms.get(id)?.receive(message);
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
    const found = MODULES[module]?.[name];
    if (found === undefined) throw new Error(`${module} has no ${name}`);
    return found as never;
  }

  override async loadModelClass(name: string, module: string): Promise<never> {
    return (MODULES[module]?.[name] ?? MissingModel) as never;
  }

  override async loadViewClass(name: string, module: string): Promise<never> {
    return (MODULES[module]?.[name] ?? MissingView) as never;
  }

  #commOf(id: string): FrameComm | null {
    if (this.#send === null) return null;
    const known = this.#comms.get(id);
    if (known !== undefined) return known;
    const comm = new FrameComm(id, this.#send, this.#waiting);
    this.#comms.set(id, comm);
    return comm;
  }
}
