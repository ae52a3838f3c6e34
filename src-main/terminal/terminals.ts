/** Opens and closes the terminals of a server's open notebooks. */

import { randomUUID } from 'node:crypto';
import type { SessionId } from '../../src-shared/notebook/ids.ts';
import { AppError } from '../../src-shared/wire/errors.ts';
import type { TerminalSize, TerminalView } from '../../src-shared/wire/terminal.ts';
import { venvDir, venvPython } from '../environment/venv/venv.ts';
import type { NotebookFolder } from '../notebook/folder/notebookFolder.ts';
import { type StartPty, startNodePty } from './pty.ts';
import { shellEnvironment, userShell } from './shell.ts';
import { Terminal } from './terminal.ts';

/** A notebook in whose folder a shell starts. */
export interface TerminalNotebook {
  readonly id: SessionId;
  /** Absolute folder of the notebook. */
  readonly path: NotebookFolder;
  /** Aborted when the notebook is closed: its terminals end then. */
  readonly ended: AbortSignal;
  /** Why no program may be started in this folder, or null. */
  whyNot(): AppError | null;
}

/** The terminals of a server's open notebooks. */
export interface Terminals {
  list(sid: SessionId): readonly TerminalView[];
  find(sid: SessionId, id: string): Terminal | null;
  /** @throws AppError why nothing may run here; conflict at the limit; bad_request if the shell does not start */
  open(notebook: TerminalNotebook, size: TerminalSize): Promise<TerminalView>;
  /** Ends a terminal. @returns whether there was one */
  close(sid: SessionId, id: string): Promise<boolean>;
  /** Ends all terminals of all notebooks. */
  closeAll(): Promise<void>;
}

/** Maximum terminals of a notebook, so that a faulty client cannot fill the process table. */
const MAX_TERMINALS = 16;

export function createTerminals(options: {
  /** The environment of the server's own process. */
  readonly env: NodeJS.ProcessEnv;
  readonly start?: StartPty;
}): Terminals {
  const { env, start = startNodePty } = options;
  const all = new Map<SessionId, Map<string, Terminal>>();
  const counts = new Map<SessionId, number>();
  /** Shells that are starting count towards the limit. */
  const starting = new Map<SessionId, number>();
  let isClosed = false;

  const of = (notebook: TerminalNotebook): Map<string, Terminal> => {
    const existing = all.get(notebook.id);
    if (existing !== undefined) return existing;
    const own = new Map<string, Terminal>();
    all.set(notebook.id, own);
    notebook.ended.addEventListener(
      'abort',
      () => {
        if (all.get(notebook.id) === own) all.delete(notebook.id);
        counts.delete(notebook.id);
        for (const terminal of own.values()) void terminal.close();
      },
      { once: true },
    );
    return own;
  };

  const started = async (notebook: TerminalNotebook, size: TerminalSize): Promise<Terminal> => {
    const shell = userShell(env);
    const number = (counts.get(notebook.id) ?? 0) + 1;
    counts.set(notebook.id, number);
    try {
      const pty = await start({
        file: shell.file,
        args: shell.args,
        cwd: notebook.path,
        ...size,
        env: shellEnvironment(env, venvPython(venvDir(notebook.path))),
      });
      return new Terminal({ id: randomUUID(), name: `${shell.name} ${number}`, pty });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new AppError('bad_request', `The terminal could not start ${shell.file}: ${reason}`);
    }
  };

  return {
    list: (sid) => [...(all.get(sid)?.values() ?? [])].map((terminal) => terminal.view()),
    find: (sid, id) => all.get(sid)?.get(id) ?? null,
    async open(notebook, size) {
      const refused = notebook.whyNot();
      if (refused !== null) throw refused;
      const own = of(notebook);
      const before = starting.get(notebook.id) ?? 0;
      if (own.size + before >= MAX_TERMINALS)
        throw new AppError(
          'conflict',
          `A notebook can have ${MAX_TERMINALS} terminals. Close one to open another.`,
        );
      starting.set(notebook.id, before + 1);
      try {
        const terminal = await started(notebook, size);
        own.set(terminal.id, terminal);
        if (notebook.ended.aborted || isClosed) await terminal.close();
        return terminal.view();
      } finally {
        const rest = (starting.get(notebook.id) ?? 1) - 1;
        if (rest === 0) starting.delete(notebook.id);
        else starting.set(notebook.id, rest);
      }
    },
    async close(sid, id) {
      const terminal = all.get(sid)?.get(id);
      if (terminal === undefined) return false;
      all.get(sid)?.delete(id);
      await terminal.close();
      return true;
    },
    async closeAll() {
      isClosed = true;
      const open = [...all.values()].flatMap((own) => [...own.values()]);
      all.clear();
      await Promise.all(open.map((terminal) => terminal.close()));
    },
  };
}
