/** Installs a worker on another machine over SSH, if it is missing there, and starts it. */

import * as z from 'zod';
import { tryParseJson } from '../../../lib/tryParseJson.ts';
import { HOST_SCRIPT, readHostReport } from './hostReport.ts';
import { runSsh, type SshCommand, type SshProgram } from './runSsh.ts';
import { shellLine } from './sshArguments.ts';
import { SshFailure } from './sshTrouble.ts';
import { INSTALLER, NODE_SCRIPT, type WorkerPack } from './workerPack.ts';

interface SshHost {
  readonly program: SshProgram;
  readonly target: string;
  readonly signal?: AbortSignal | undefined;
}

interface StartRequest {
  readonly name: string;
  readonly pack: WorkerPack;
  /** False: do not install the worker when it is missing. */
  readonly install: boolean;
  /** 0: the other machine chooses a port. */
  readonly port: number;
  readonly graceMs: number;
  readonly launchId: string;
  readonly token: string;
  /** Aborted when the user gives up before the launch; a worker launched after that must be stopped. */
  readonly wanted: AbortSignal;
}

export interface StartedWorker {
  /** The path of Node on the other machine. */
  readonly node: string;
  readonly pid: number;
  readonly port: number;
}

/** Time limits for checking the host, installing and starting. */
const CHECK_MS = 30_000;
const INSTALL_MS = 600_000;
const START_MS = 60_000;
/** Runs a command of the installed worker. Arguments: its folder's name, Node, and the command's words. */
const VERB_SCRIPT = 'n="$2"; d="$1"; shift 2; exec "$n" "$HOME/.svc/worker/$d/svc-worker.cjs" launched "$@"';

/** The line that runs a command of the worker on its machine. */
export function verbLine(hash: string, node: string, words: readonly string[]): string {
  return shellLine(VERB_SCRIPT, [hash, node, ...words]);
}

/**
 * Installs the worker when it is missing, and starts it: checks the host, uploads the worker under its hash, and
 * launches it with an id and a token that are only passed on stdin (docs/spec/remote-execution.md, 9). @throws
 * SshFailure; a signal's reason
 */
export async function startRemoteWorker(
  { program, target, signal }: SshHost,
  { name, pack, install, port, graceMs, launchId, token, wanted }: StartRequest,
): Promise<StartedWorker> {
  const cancelled = AbortSignal.any([...(signal === undefined ? [] : [signal]), wanted]);
  const run = (line: string, timeoutMs: number, input: SshCommand['input'] = '') =>
    runSsh({ program, target, line, timeoutMs, signal: cancelled, input });
  const look = readHostReport(target, (await run(shellLine(HOST_SCRIPT, [pack.hash]), CHECK_MS)).stdout);
  if (!look.installed) {
    if (!install) {
      throw new SshFailure('not_installed', `This version of the worker is not on ${target} yet.`);
    }
    const words = [look.node, Buffer.from(INSTALLER).toString('base64'), pack.hash];
    readInstall(target, (await run(shellLine(NODE_SCRIPT, words), INSTALL_MS, pack.bytes)).stdout);
  }
  wanted.throwIfAborted();
  const line = verbLine(pack.hash, look.node, ['start', name, String(port), String(graceMs)]);
  const input = `${launchId}\n${token}\n`;
  const answer = await runSsh({ program, target, line, timeoutMs: START_MS, signal, input });
  return { node: look.node, ...readStart(target, { ...answer, port }) };
}

const installAnswer = z.union([
  z.object({ ok: z.literal(true) }),
  z.object({ ok: z.literal(false), code: z.string(), message: z.string() }),
]);

/** Checks the installer's answer. @throws SshFailure */
export function readInstall(target: string, stdout: string): void {
  const answer = installAnswer.safeParse(lastJson(stdout));
  if (!answer.success) throw new SshFailure('other', `Couldn’t unpack the worker on ${target}.`);
  if (answer.data.ok) return;
  const { code, message } = answer.data;
  if (code === 'ENOSPC' || code === 'EDQUOT') throw fullDisk(target);
  throw new SshFailure('other', `Couldn’t unpack the worker on ${target}: ${message}.`);
}

const launchAnswer = z.union([
  z.object({ ok: z.literal(true), pid: z.int().positive(), port: z.int().positive() }),
  z.object({ ok: z.literal(false), trouble: z.string(), said: z.string() }),
]);

/** Reads the answer of the command that starts the worker. @throws SshFailure */
export function readStart(
  target: string,
  { stdout, stderr, port }: { readonly stdout: string; readonly stderr: string; readonly port: number },
): Pick<StartedWorker, 'pid' | 'port'> {
  const answer = launchAnswer.safeParse(lastJson(stdout));
  if (!answer.success) {
    const last = stderr.trim().split('\n').at(-1)?.slice(0, 300) ?? '';
    throw new SshFailure('worker_ended', `The worker did not start on ${target}. ${last}`.trim());
  }
  if (answer.data.ok) return answer.data;
  const { trouble, said: message } = answer.data;
  if (trouble === 'disk_full') throw fullDisk(target);
  if (trouble === 'port_taken') {
    throw new SshFailure(
      'port_taken',
      `Port ${port} is already in use on ${target}. Choose another port, or leave it empty.`,
    );
  }
  throw new SshFailure(
    'worker_ended',
    `The worker stopped right after it started on ${target}: ${message.split('\n').at(-1)?.slice(0, 300) ?? ''}`,
  );
}

function fullDisk(target: string): SshFailure {
  return new SshFailure('disk_full', `The disk of ${target} is full. Free some space for ~/.svc there.`);
}

/** Parses the last line; a shell profile may print others before it. */
function lastJson(stdout: string): unknown {
  return tryParseJson(stdout.trim().split('\n').at(-1) ?? '');
}
