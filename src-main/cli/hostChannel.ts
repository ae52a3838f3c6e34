/**
 * The message channel to the process that started this one, Electron's or that of `fork`; the desktop app controls its
 * server over it.
 */

/** The connection to the process that started this one. */
export interface HostChannel {
  send(message: unknown): void;
  onMessage(listener: (data: unknown) => void): void;
  /** Called when the other process has ended. */
  onGone(listener: () => void): void;
}

/** Electron provides this in a utility process; its types are only available in the shell's folder. */
interface ParentPort {
  postMessage(message: unknown): void;
  on(event: 'message', listener: (event: { readonly data: unknown }) => void): unknown;
}

/**
 * This process's channel: Electron's parentPort in a utility process, otherwise the IPC of `fork`.
 * @throws Error if the process was started by hand
 */
export function channelOfProcess(): HostChannel {
  const { parentPort } = process as NodeJS.Process & { readonly parentPort?: ParentPort };
  if (parentPort) {
    return {
      send: (message) => parentPort.postMessage(message),
      onMessage: (listener) => void parentPort.on('message', ({ data }) => listener(data)),
      // Electron ends its utility processes when it ends.
      onGone: () => {},
    };
  }
  if (process.send === undefined) {
    throw new Error('this program is started by the desktop app; use `svc serve` for a server of your own');
  }
  const send = process.send.bind(process);
  return {
    send: (message) => {
      // After the channel is closed there is nothing to notify; `onGone` then ends this process.
      if (process.connected) send(message, undefined, undefined, () => {});
    },
    onMessage: (listener) => void process.on('message', listener),
    onGone: (listener) => void process.once('disconnect', listener),
  };
}
