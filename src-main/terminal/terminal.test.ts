import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { SessionId } from '../../src-shared/notebook/ids.ts';
import { AppError } from '../../src-shared/wire/errors.ts';
import type { TerminalMessage } from '../../src-shared/wire/terminal.ts';
import { notebookFolder } from '../notebook/folder/notebookFolder.ts';
import type { Pty, PtyOptions } from './pty.ts';
import { Scrollback } from './scrollback.ts';
import { shellEnvironment, userShell } from './shell.ts';
import { Terminal, type Viewer } from './terminal.ts';
import { createTerminals, type TerminalNotebook } from './terminals.ts';

afterEach(() => vi.useRealTimers());

/** A pseudo terminal whose program is the test. */
function scriptedPty() {
  let print = (_text: string): void => {};
  let exit = (_exit: { exitCode: number }): void => {};
  const calls: string[] = [];
  const pty: Pty = {
    pid: 1,
    onData: (listener) => {
      print = listener;
    },
    onExit: (listener) => {
      exit = listener;
    },
    write: (text) => calls.push(`write ${text}`),
    resize: (columns, rows) => calls.push(`resize ${columns}x${rows}`),
    pause: () => calls.push('pause'),
    resume: () => calls.push('resume'),
    kill: (signal) => {
      calls.push(`kill ${signal ?? 'SIGHUP'}`);
      if (signal !== undefined) exit({ exitCode: 137 });
    },
  };
  return {
    pty,
    calls,
    print: (text: string) => print(text),
    exit: (exitCode: number) => exit({ exitCode }),
  };
}

function collector() {
  const messages: TerminalMessage[] = [];
  const closes: string[] = [];
  const viewer: Viewer = {
    send: (message) => messages.push(message),
    close: (why) => closes.push(why),
  };
  const text = () => messages.map((message) => (message.type === 'output' ? message.text : '')).join('');
  return { viewer, messages, closes, text };
}

const LIMITS = { scrollback: 100, pauseAt: 10, resumeAt: 2, slowMs: 1_000, killMs: 50 };

function openTerminal() {
  const program = scriptedPty();
  const terminal = new Terminal({ id: 't', name: 'sh 1', pty: program.pty, limits: LIMITS });
  return { program, terminal };
}

describe('a terminal', () => {
  test('[TM-1] a window that is opened later sees what was printed before, then what follows', () => {
    const { program, terminal } = openTerminal();
    program.print('one\r\n');
    const late = collector();
    terminal.attach(late.viewer);
    program.print('two');
    expect(late.messages).toEqual([
      { type: 'output', text: 'one\r\n' },
      { type: 'output', text: 'two' },
    ]);
  });

  test('[TM-1] input and sizes reach the shell, until it has ended', () => {
    const { program, terminal } = openTerminal();
    const { take } = terminal.attach(collector().viewer);
    take({ type: 'input', text: 'ls\r' });
    take({ type: 'resize', columns: 100, rows: 30 });
    program.exit(3);
    take({ type: 'input', text: 'more' });
    take({ type: 'resize', columns: 10, rows: 3 });
    expect(program.calls).toEqual(['write ls\r', 'resize 100x30']);
    expect(terminal.view()).toEqual({ id: 't', name: 'sh 1', exit_code: 3 });
    const late = collector();
    terminal.attach(late.viewer);
    expect(late.messages).toEqual([{ type: 'exit', exit_code: 3 }]);
  });

  test('[TM-2] the shell waits for a slow window, and continues when the window has caught up', () => {
    const { program, terminal } = openTerminal();
    const { take } = terminal.attach(collector().viewer);
    program.print('x'.repeat(11));
    program.print('y');
    expect(program.calls).toEqual(['pause']);
    take({ type: 'received', characters: 5 });
    expect(program.calls).toEqual(['pause']);
    take({ type: 'received', characters: 5 });
    expect(program.calls).toEqual(['pause', 'resume']);
  });

  test('[TM-2] a window that does not catch up is closed, and the others continue', async () => {
    vi.useFakeTimers();
    const { program, terminal } = openTerminal();
    const [slow, fast] = [collector(), collector()];
    terminal.attach(slow.viewer);
    const { take } = terminal.attach(fast.viewer);
    program.print('x'.repeat(11));
    take({ type: 'received', characters: 11 });
    expect(program.calls).toEqual(['pause']);
    await vi.advanceTimersByTimeAsync(LIMITS.slowMs);
    expect(slow.closes).toEqual(['slow']);
    expect(fast.closes).toEqual([]);
    expect(program.calls).toEqual(['pause', 'resume']);
    program.print('more');
    expect(slow.text()).not.toContain('more');
    expect(fast.text()).toContain('more');
  });

  test('[TM-3] closing ends the shell, by force if it does not end', async () => {
    const { program, terminal } = openTerminal();
    const open = collector();
    terminal.attach(open.viewer);
    await terminal.close();
    expect(open.closes).toEqual(['closed']);
    expect(program.calls).toEqual(['kill SIGHUP', 'kill SIGKILL']);
  });

  test('[TM-2] every window shows the same text, independent of the others', () => {
    const step = fc.oneof(
      fc.record({ do: fc.constant('print' as const), text: fc.string({ maxLength: 20 }) }),
      fc.record({ do: fc.constant('receive' as const), viewer: fc.nat(2), characters: fc.nat(30) }),
      fc.record({ do: fc.constant('leave' as const), viewer: fc.nat(2) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const { program, terminal } = openTerminal();
        const windows = [collector(), collector(), collector()].map((window) => ({
          ...window,
          attachment: terminal.attach(window.viewer),
          left: null as number | null,
        }));
        let printed = '';
        for (const each of steps) {
          if (each.do === 'print') {
            printed += each.text;
            program.print(each.text);
          } else {
            const window = windows[each.viewer];
            if (window === undefined || window.left !== null) continue;
            if (each.do === 'receive')
              window.attachment.take({ type: 'received', characters: each.characters });
            else {
              window.attachment.detach();
              window.left = printed.length;
            }
          }
        }
        for (const window of windows) {
          expect(window.text()).toBe(printed.slice(0, window.left ?? undefined));
          window.attachment.detach();
        }
        const paused = program.calls.filter((call) => call === 'pause').length;
        expect(program.calls.filter((call) => call === 'resume')).toHaveLength(paused);
      }),
    );
  });
});

describe('scrollback', () => {
  test.each([
    ['short', ['a\n', 'b'], 'a\nb'],
    ['long: the end, from a line’s start', ['first\n', `${'x'.repeat(8)}\n`, 'last'], 'last'],
    ['one long line: its end', ['x'.repeat(30)], 'x'.repeat(10)],
  ])('[TM-1] %s', (_what, pieces, kept) => {
    const scrollback = new Scrollback(10);
    for (const piece of pieces) scrollback.push(piece);
    expect(scrollback.text()).toBe(kept);
  });
});

describe('the shell', () => {
  test.each([
    ['the user’s own', { SHELL: '/bin/sh' }, 'linux', '/bin/sh'],
    ['a SHELL that does not exist', { SHELL: '/nowhere/fish' }, 'linux', '/bin/bash'],
    ['a SHELL that is not a path', { SHELL: 'fish' }, 'linux', '/bin/bash'],
    ['Windows', {}, 'win32', 'powershell.exe'],
  ] as const)('[TM-4] %s', (_what, env, platform, file) => {
    expect(userShell(env, platform).file).toBe(file);
  });

  test('[TM-4] it has the user’s variables, and none of the server’s keys', () => {
    const env = shellEnvironment(
      {
        PATH: '/usr/bin',
        HOME: '/home/me',
        AWS_PROFILE: 'lab',
        COLUMNS: '7',
        SVC_AI_API_KEY: 'sk-1',
        SVC_WORKER_TOKEN: 'w',
        SVC_ARTIFACT_DIR: '/a',
        PYTHONPATH: '/p',
      },
      '/nowhere/.venv/bin/python',
    );
    expect(env).toEqual({
      PATH: '/usr/bin',
      HOME: '/home/me',
      AWS_PROFILE: 'lab',
      TERM: 'xterm-256color',
      COLORTERM: 'truecolor',
      TERM_PROGRAM: 'cellar',
      LANG: 'C.UTF-8',
    });
  });
});

describe('the terminals of notebooks', () => {
  const ids = { one: 'one' as SessionId, two: 'two' as SessionId }; // a session's id, as the server makes it

  function world(start = async (_options: PtyOptions): Promise<Pty> => scriptedPty().pty) {
    const started: PtyOptions[] = [];
    const terminals = createTerminals({
      env: { SHELL: '/bin/sh' },
      start: async (options) => {
        started.push(options);
        return start(options);
      },
    });
    const end = new AbortController();
    const notebook = (id: SessionId, refused: AppError | null = null): TerminalNotebook => ({
      id,
      path: notebookFolder(`/notebooks/${id}`),
      ended: end.signal,
      whyNot: () => refused,
    });
    return { terminals, started, end, notebook };
  }
  const SIZE = { columns: 80, rows: 24 };

  test('[TM-5] each notebook has its own terminals, numbered, in its folder', async () => {
    const { terminals, started, notebook } = world();
    await terminals.open(notebook(ids.one), SIZE);
    const second = await terminals.open(notebook(ids.one), SIZE);
    await terminals.open(notebook(ids.two), SIZE);
    expect(terminals.list(ids.one).map(({ name }) => name)).toEqual(['sh 1', 'sh 2']);
    expect(terminals.find(ids.two, second.id)).toBeNull();
    expect(started.map(({ cwd }) => cwd)).toEqual(['/notebooks/one', '/notebooks/one', '/notebooks/two']);
  });

  test('[TM-5] nothing starts in a folder that is not trusted', async () => {
    const { terminals, started, notebook } = world();
    const refused = new AppError('NOTEBOOK_UNTRUSTED', 'not trusted');
    await expect(terminals.open(notebook(ids.one, refused), SIZE)).rejects.toBe(refused);
    expect(started).toEqual([]);
  });

  test('[TM-5] the limit also counts shells that are being started', async () => {
    const { terminals, notebook } = world();
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, () => terminals.open(notebook(ids.one), SIZE)),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(16);
    expect(terminals.list(ids.one)).toHaveLength(16);
  });

  test('[TM-5] a shell that cannot be started is a refusal that names it', async () => {
    const { terminals, notebook } = world(() => Promise.reject(new Error('no pty left')));
    await expect(terminals.open(notebook(ids.one), SIZE)).rejects.toMatchObject({
      code: 'bad_request',
      message: 'The terminal could not start /bin/sh: no pty left',
    });
  });

  test('[TM-3] they end with their notebook, also one that was being started', async () => {
    vi.useFakeTimers();
    const shells: ReturnType<typeof scriptedPty>[] = [];
    const { terminals, notebook, end } = world(async () => {
      const shell = scriptedPty();
      shells.push(shell);
      return shell.pty;
    });
    await terminals.open(notebook(ids.one), SIZE);
    const late = terminals.open(notebook(ids.one), SIZE);
    end.abort();
    await vi.advanceTimersByTimeAsync(5_000);
    await late;
    expect(shells.map(({ calls }) => calls)).toEqual([
      ['kill SIGHUP', 'kill SIGKILL'],
      ['kill SIGHUP', 'kill SIGKILL'],
    ]);
    expect(terminals.list(ids.one)).toEqual([]);
  });
});
