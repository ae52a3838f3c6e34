/** The line to the process that started this one. */
export interface HostChannel {
  send(message: unknown): void;
  onMessage(listener: (data: unknown) => void): void;
  /** The other side is gone. */
  onGone(listener: () => void): void;
}

/** Electron gives a utility process this; its types stay in the shell's room. */
interface ParentPort {
  postMessage(message: unknown): void;
  on(event: 'message', listener: (event: { readonly data: unknown }) => void): unknown;
}

/**
 * The channel this process was given: Electron's parentPort in a utility process, the IPC of `fork` otherwise.
 * @throws Error when it was started by hand
 */
export function channelOfProcess(): HostChannel {
  const { parentPort } = process as NodeJS.Process & { readonly parentPort?: ParentPort };
  if (parentPort) {
    return {
      send: (message) => parentPort.postMessage(message),
      onMessage: (listener) => void parentPort.on('message', ({ data }) => listener(data)),
      // Electron ends its utility processes with itself.
      onGone: () => {},
    };
  }
  if (process.send === undefined) {
    throw new Error('this program is started by the desktop app; use `svc serve` for a server of your own');
  }
  const send = process.send.bind(process);
  return {
    send: (message) => {
      // Nobody is left to tell once the channel is closed; `onGone` ends us then.
      if (process.connected) send(message, undefined, undefined, () => {});
    },
    onMessage: (listener) => void process.on('message', listener),
    onGone: (listener) => void process.once('disconnect', listener),
  };
}
