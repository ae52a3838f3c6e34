/** The command `svc watch`: shows in the terminal, read-only, what happens in a notebook that a server has open. */

import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { defineCommand, UsageError } from '../arguments.ts';
import { CallError, createRestCaller } from '../place/restCaller.ts';
import { SERVER_OPTIONS, serverUrl, tokenFor } from '../place/target.ts';
import { WatchView } from '../watch/watchView.ts';

const DEFAULT_SERVER = 'http://127.0.0.1:8765';
const DRAW_MS = 100;

/**
 * `svc watch [DIR | --session SID] --server URL`: shows what happens in a notebook that a server has open, read-only
 * (docs/spec/command-line.md, 5). A terminal shows the cells; other outputs get one line per event.
 */
export const watch = defineCommand({
  usage: '[DIR | --session ID]',
  options: SERVER_OPTIONS,
  async run({ values, positionals }) {
    if (positionals.length > 1) throw new UsageError('svc watch takes one notebook folder');
    const [dir] = positionals;
    if (dir !== undefined && values.session !== undefined)
      throw new UsageError('use either a folder or --session');
    const base = serverUrl(values.server ?? process.env['SVC_TUI_SERVER'] ?? DEFAULT_SERVER);
    const token = await tokenFor(base, values['token-file']);
    try {
      const sid = values.session ?? (await sessionFor(dir, { base, token }));
      return await watchSession({ base, sid, token });
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      process.stderr.write(`svc: ${error.message}\n`);
      return 1;
    }
  },
});

/** The session with the folder open, or the only session. @throws UsageError, CallError */
async function sessionFor(dir: string | undefined, at: { base: URL; token: string | null }): Promise<string> {
  const { sessions } = await createRestCaller(at.base, at.token).call('listSessions', {});
  if (dir === undefined) {
    const [only, ...more] = sessions;
    if (only !== undefined && more.length === 0) return only.session_id;
    const list = sessions.map(
      ({ session_id, name, path }) => `\n  --session ${session_id}  ${name} (${path})`,
    );
    throw new UsageError(
      list.length === 0
        ? `${at.base.origin} has no notebook open`
        : `choose one of the open notebooks:${list.join('')}`,
    );
  }
  const absolute = resolve(dir);
  const folder = await realpath(absolute).catch(() => absolute);
  const match = sessions.find(({ path }) => path === folder);
  if (match === undefined) throw new CallError(`${at.base.origin} does not have ${folder} open`, 404);
  return match.session_id;
}

/** Shows a session until it ends or the user quits. @returns the exit code */
export async function watchSession(target: {
  base: URL;
  sid: string;
  token: string | null;
}): Promise<number> {
  // Not for help and wrong usage [AR-63].
  const { watchSocket } = await import('../watch/watchSocket.ts');
  const { stdout, stdin } = process;
  const view = new WatchView();
  const isTerminal = stdout.isTTY === true;
  return new Promise((done) => {
    let link = 'connecting';
    let drawing: NodeJS.Timeout | undefined;
    const say = (lines: readonly string[]): void => {
      if (!isTerminal) for (const line of lines) stdout.write(`${new Date().toISOString()} ${line}\n`);
      else
        drawing ??= setTimeout(() => {
          drawing = undefined;
          const { columns = 80, rows = 24 } = stdout;
          stdout.write(`\u001b[H\u001b[J${view.screen({ columns, rows }, link)}`);
        }, DRAW_MS);
    };
    const end = (code: number, message?: string): void => {
      clearTimeout(drawing);
      socket.close();
      if (isTerminal) stdout.write('\u001b[?1049l');
      if (stdin.isTTY === true) stdin.setRawMode(false);
      stdin.pause();
      process.removeListener('SIGINT', quit);
      if (message !== undefined) (code === 0 ? stdout : process.stderr).write(`${message}\n`);
      done(code);
    };
    const quit = (): void => end(0);
    const socket = watchSocket(target, {
      onFrame: (frame) => {
        const lines = view.apply(frame);
        if (frame.type === 'session_closed') return end(0, frame.payload.message);
        if (view.needsSync && frame.type !== 'presence') socket.sync();
        say(lines);
      },
      onLink: (now) => {
        link = now;
        view.reconnected();
        say([now === 'lost' ? 'connection lost; reconnecting' : 'connected']);
      },
      onRefused: () => end(1, `svc: ${target.base.origin} has no session ${target.sid}`),
    });
    process.once('SIGINT', quit);
    if (isTerminal) stdout.write('\u001b[?1049h');
    if (!isTerminal || stdin.isTTY !== true) return;
    stdin.setRawMode(true);
    stdin.on('data', (key) => {
      if (key.toString() === 'r') socket.sync();
      else if (['q', '\u0003'].includes(key.toString())) quit();
    });
  });
}
