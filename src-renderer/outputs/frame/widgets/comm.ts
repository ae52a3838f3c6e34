/** A Jupyter comm inside an output's frame: exchanges messages with the process of the cell by way of the page. */

import type { ICallbacks } from '@jupyter-widgets/base';

/** A message between the frame of a display and its cell's process; buffers are base64. */
export interface CommMessage {
  readonly type: 'comm_open' | 'comm_msg' | 'comm_close' | 'done';
  readonly comm_id?: string;
  readonly msg_id?: string;
  readonly data?: Record<string, unknown>;
  readonly buffers?: readonly string[];
}

/** Receives a message of a comm in Jupyter's form. */
type Listener = (message: object) => void;

export type Send = (message: CommMessage) => void;

/** The frame's end of a comm. */
export class FrameComm {
  readonly comm_id: string;
  readonly target_name = 'jupyter.widget';
  readonly #send: Send;
  readonly #waiting: Map<string, ICallbacks>;
  #onMessage: Listener = () => undefined;
  #onClose: Listener = () => undefined;

  constructor(commId: string, send: Send, waiting: Map<string, ICallbacks>) {
    this.comm_id = commId;
    this.#send = send;
    this.#waiting = waiting;
  }

  open(): string {
    return '';
  }

  send(
    data: unknown,
    callbacks?: ICallbacks,
    _metadata?: unknown,
    buffers?: readonly (ArrayBuffer | ArrayBufferView)[],
  ): string {
    const id = `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`;
    if (callbacks !== undefined) this.#waiting.set(id, callbacks);
    this.#send({
      type: 'comm_msg',
      comm_id: this.comm_id,
      msg_id: id,
      data: data as Record<string, unknown>,
      buffers: (buffers ?? []).map(toBase64),
    });
    return id;
  }

  close(): string {
    return '';
  }

  on_msg(listener: Listener): void {
    this.#onMessage = listener;
  }

  on_close(listener: Listener): void {
    this.#onClose = listener;
  }

  /** Handles a message of the process. */
  receive({ type, data = {}, buffers = [], msg_id }: CommMessage): void {
    const message = {
      content: { comm_id: this.comm_id, data },
      buffers: buffers.map((one) => new DataView(fromBase64(one))),
      parent_header: { msg_id },
      metadata: {},
      header: {},
    };
    if (type === 'comm_close') this.#onClose(message);
    else this.#onMessage(message);
  }
}

/** The bytes of a buffer as base64. */
export function toBase64(buffer: ArrayBuffer | ArrayBufferView): string {
  const bytes = ArrayBuffer.isView(buffer)
    ? new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength)
    : new Uint8Array(buffer);
  let text = '';
  for (let at = 0; at < bytes.length; at += 0x8000) {
    text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  }
  return btoa(text);
}

/** The bytes encoded by a base64 text. */
export function fromBase64(text: string): ArrayBuffer {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  return bytes.buffer;
}
