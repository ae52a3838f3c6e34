/**
 * The command `svc agent`. `svc agent DIR` opens a notebook on a server with an MCP endpoint, and writes the files that
 * tell an agent about it; `svc agent --stdio` passes messages for clients without HTTP; `svc agent install` copies the
 * skill (docs/mcp.md).
 */

import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { type NotebookFolder, notebookFolder } from '../../notebook/folder/notebookFolder.ts';
import { type Connection, writeAgentFiles } from '../agent/agentFiles.ts';
import { installSkill } from '../agent/installSkill.ts';
import { hasEndpoint, type OwnServer, startOwnServer } from '../agent/ownServer.ts';
import { defineCommand, UsageError } from '../arguments.ts';
import { shippedDir } from '../harnessFolder.ts';
import { CallError, createRestCaller } from '../place/restCaller.ts';
import { serverUrl, tokenFor } from '../place/target.ts';
import { newNotebook } from './new.ts';
import { watchSession } from './watch.ts';

const DEFAULT_SERVER = 'http://localhost:8765';

export const agent = defineCommand({
  usage: 'DIR | --stdio | install',
  options: {
    server: {
      type: 'string',
      takes: 'URL',
      says: 'A running server. Default: $SVC_TUI_SERVER or port 8765 of this machine.',
    },
    'token-file': {
      type: 'string',
      takes: 'FILE',
      says: 'File with the launch token of the server, if it needs one.',
    },
    python: { type: 'string', takes: 'X.Y', says: 'Python version of a new notebook.' },
    'no-env': {
      type: 'boolean',
      default: false,
      says: 'Do not create the environment of a new notebook yet.',
    },
    'no-tui': { type: 'boolean', default: false, says: 'Do not show what happens in the notebook.' },
    'worker-ssh': {
      type: 'string',
      takes: 'TARGET',
      says: 'Also start a worker on TARGET over SSH, as the default worker.',
    },
    stdio: { type: 'boolean', default: false, says: 'Connect standard input and output to the server.' },
    to: {
      type: 'string',
      takes: 'DIR',
      says: 'With install: the folder of skills. Default: ~/.claude/skills.',
    },
  },
  async run({ values, positionals }) {
    const [first, ...more] = positionals;
    if (more.length > 0) throw new UsageError(`unexpected argument \`${more[0]}\``);
    const server = values.server ?? process.env['SVC_TUI_SERVER'];
    const base = serverUrl(server ?? DEFAULT_SERVER);
    const token = await tokenFor(base, values['token-file']);
    try {
      if (values.stdio) return await bridge(first, { base, token });
      if (first === undefined) throw new UsageError('name a notebook folder, or use --stdio or install');
      if (first === 'install') return await install(values.to ?? join(homedir(), '.claude', 'skills'));
      const dir = await notebookAt(resolve(first), { python: values.python, noEnv: values['no-env'] });
      return await serve(notebookFolder(dir), {
        base,
        token,
        isNamed: server !== undefined,
        shows: !values['no-tui'],
        workerSsh: values['worker-ssh'] ?? null,
      });
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      process.stderr.write(`svc: ${error.message}\n`);
      return 1;
    }
  },
});

interface Reach {
  readonly base: URL;
  readonly token: string | null;
}

async function bridge(first: string | undefined, { base, token }: Reach): Promise<number> {
  if (first !== undefined) throw new UsageError('--stdio takes no folder: open the notebook in the server');
  if (!(await hasEndpoint(base, token))) throw noEndpoint(base);
  const { bridgeStdio } = await import('../agent/stdioBridge.ts');
  await bridgeStdio(base, token);
  return 0;
}

async function install(skills: string): Promise<number> {
  const from = join(shippedDir('agent-skill', 'resources/agent-skill'), 'SKILL.md');
  process.stdout.write(`${await installSkill(from, resolve(skills))}\n`);
  return 0;
}

/** The folder of a notebook; creates a notebook if it has none. @throws UsageError */
async function notebookAt(
  dir: string,
  { python, noEnv }: { readonly python: string | undefined; readonly noEnv: boolean },
): Promise<string> {
  if (!existsSync(join(dir, 'notebook.toml'))) {
    const how = [...(python === undefined ? [] : ['--python', python]), ...(noEnv ? ['--no-env'] : [])];
    const code = await newNotebook.run([basename(dir), '--parent', dirname(dir), ...how]);
    if (code !== 0) throw new UsageError(`${dir} could not be turned into a notebook`);
  }
  return realpath(dir);
}

async function serve(
  dir: NotebookFolder,
  options: Reach & { readonly isNamed: boolean; readonly shows: boolean; readonly workerSsh: string | null },
): Promise<number> {
  const { token } = options;
  let own: OwnServer | null = null;
  let { base } = options;
  if (!(await hasEndpoint(base, token))) {
    if (options.isNamed) throw noEndpoint(base);
    own = await startOwnServer(dir);
    base = own.url;
  }
  try {
    const reach: Reach = { base, token: own === null ? token : null };
    const caller = createRestCaller(reach.base, reach.token);
    const opened = await caller.call('openNotebook', { body: { path: dir } });
    if (options.workerSsh !== null) {
      await caller.call('connectSshWorker', {
        params: { sid: opened.session_id },
        body: { ssh_target: options.workerSsh, set_default: true },
      });
    }
    await writeAgentFiles(dir, { connection: connectionOf(reach), name: opened.name });
    process.stdout.write(
      `Agents reach ${opened.name} at ${base.href.replace(/\/?$/, '/')}mcp/ (see ${dir}/.mcp.json)\n`,
    );
    if (options.shows) return await watchSession({ ...reach, sid: opened.session_id });
    if (own !== null) await Promise.race([own.ended, interrupted()]);
    return 0;
  } finally {
    await own?.stop();
  }
}

/** A token is not written to the file: the bridge reads it from the server's own file. */
function connectionOf({ base, token }: Reach): Connection {
  if (token === null) return { type: 'http', url: `${base.href.replace(/\/?$/, '/')}mcp/` };
  return { command: 'svc', args: ['agent', '--stdio', '--server', base.href] };
}

function interrupted(): Promise<void> {
  return new Promise((done) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => done());
  });
}

function noEndpoint(base: URL): UsageError {
  return new UsageError(
    `${base.origin} has no endpoint for agents. Start the server with SVC_MCP_ENABLED=true, or pass --token-file if it needs a token.`,
  );
}
