/** Runs uv for environment jobs, and turns its error output into a message for users. */

import { runTool, type ToolEnd, type ToolRun } from './runTool.ts';

/** What went wrong in a uv command, for users. */
interface UvFailure {
  /** `unreachable`: the network is the reason, not the project. */
  readonly kind: 'unreachable' | 'failed';
  /** '' when uv gave no reason. */
  readonly error: string;
}

/**
 * Interprets uv's stderr: for network errors the message says what to do, otherwise it is uv's own reason in one line.
 */
export function uvFailure(stderr: string): UvFailure {
  const reason = reasonIn(stderr);
  const host = /https?:\/\/([^/\s`)]+)/.exec(stderr)?.[1];
  const from = host === undefined ? 'The package index' : host.replace(/^[^@]*@/, '');
  if (isUntrusted(stderr)) {
    return {
      kind: 'unreachable',
      error:
        `The certificate of ${from} is not trusted here (${lastCause(stderr)}). Add the root certificate of your ` +
        'network to the certificate store of this system, or set SSL_CERT_FILE to its file, then try again.',
    };
  }
  if (isUnreachable(stderr)) {
    return {
      kind: 'unreachable',
      error:
        `${from} cannot be reached (${lastCause(stderr)}). Check the network, and HTTPS_PROXY if you need a ` +
        'proxy. Cached packages can be installed offline.',
    };
  }
  return { kind: 'failed', error: reason };
}

/** Whether uv's message means that the package index (or a download) could not be reached. */
export function isUnreachable(text: string): boolean {
  return /dns error|error sending request|client error \(connect\)|failed to lookup address|network (?:was|is|connectivity is) (?:disabled|unreachable)|connection (?:refused|reset)|connection timed out|request failed after|tunnel error|proxy authentication required/i.test(
    text,
  );
}

function isUntrusted(text: string): boolean {
  return /invalid peer certificate|UnknownIssuer|self[- ]signed certificate|certificate verify failed/i.test(
    text,
  );
}

/** uv's own reason in one line: the text after `error:` or `×`, with its causes. */
export function reasonIn(stderr: string): string {
  const reason = reasonLines(stderr).reduce((before, { text, isCause }) => {
    if (before === '') return text;
    return isCause && !/[.:;,!?]$/.test(before) ? `${before}: ${text}` : `${before} ${text}`;
  }, '');
  return reason.length > 400 ? `${reason.slice(0, 399)}…` : reason;
}

function lastCause(stderr: string): string {
  const cause = reasonLines(stderr).at(-1)?.text ?? '';
  return (cause.length > 160 ? `${cause.slice(0, 159)}…` : cause).replace(/\.$/, '');
}

interface ReasonLine {
  readonly text: string;
  /** It is the cause of the line before it. */
  readonly isCause: boolean;
}

function reasonLines(stderr: string): readonly ReasonLine[] {
  const lines = stderr.split('\n').map((line) => line.trim());
  const start = lines.findIndex((line) => /^(error:|×)/.test(line));
  const block = (start === -1 ? lines.filter((line) => line !== '').slice(-3) : lines.slice(start)).filter(
    (line) => line !== '' && !/^(hint:|help:)/.test(line),
  );
  return block.map((line) => ({
    text: line.replace(/^(error:|cause:|×|╰─▶|├─▶|│)\s*/, ''),
    isCause: /^(cause:|╰─▶|├─▶)/.test(line),
  }));
}

const MAX_CHARS = 64 * 1024;

export interface UvEnd {
  readonly end: ToolEnd;
  /** The last characters of stderr of that command. */
  readonly stderr: string;
}

/**
 * Runs uv, and again without the network when the index cannot be reached: the cache is enough for packages that any
 * notebook had. The log has both attempts; when both fail, the result is the first.
 */
export async function runUv(run: ToolRun): Promise<UvEnd> {
  const started = performance.now();
  const first = await once(run);
  const isOffline = first.end.kind === 'exited' && first.end.code !== 0 && isUnreachable(first.stderr);
  if (!isOffline || run.env['UV_OFFLINE'] !== undefined) return first;
  run.onText?.('stderr', 'The package index is unreachable. Trying again with cached packages.\n');
  const timeoutMs = Math.max(1, run.timeoutMs - (performance.now() - started));
  const second = await once({ ...run, timeoutMs, env: { ...run.env, UV_OFFLINE: '1' } });
  const isDone = second.end.kind !== 'exited' || second.end.code === 0;
  return isDone ? second : first;
}

async function once(run: ToolRun): Promise<UvEnd> {
  let stderr = '';
  const end = await runTool({
    ...run,
    onText: (stream, text) => {
      if (stream === 'stderr') stderr = (stderr + text).slice(-MAX_CHARS);
      run.onText?.(stream, text);
    },
  });
  return { end, stderr };
}
