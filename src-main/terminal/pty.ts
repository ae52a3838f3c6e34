/** Starts a program behind a pseudo terminal, for the terminals of notebooks. */

/** A process behind a pseudo terminal. */
export interface Pty {
  readonly pid: number;
  onData(listener: (text: string) => void): void;
  onExit(listener: (exit: { readonly exitCode: number }) => void): void;
  write(text: string): void;
  resize(columns: number, rows: number): void;
  /** Stops reading its output, so that the process waits as soon as the system's buffer is full. */
  pause(): void;
  resume(): void;
  /** Ends it like a closed terminal window (SIGHUP; on Windows the pseudo terminal is closed). */
  kill(signal?: string): void;
}

export interface PtyOptions {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly columns: number;
  readonly rows: number;
}

/** Starts a program. @throws Error if it does not start, or if this platform has no pseudo terminals */
export type StartPty = (options: PtyOptions) => Promise<Pty>;

/** The library is loaded with the first terminal, because most servers never need it. */
export const startNodePty: StartPty = async ({ file, args, cwd, env, columns, rows }) => {
  const { spawn } = await import('@lydell/node-pty');
  return spawn(file, [...args], {
    cwd,
    env: { ...env },
    cols: columns,
    rows,
    name: 'xterm-256color',
  });
};
