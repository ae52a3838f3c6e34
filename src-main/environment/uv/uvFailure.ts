import { runTool, type ToolEnd, type ToolRun } from './runTool.ts';

/** What went wrong in a command of uv, in words for a person. */
export interface UvFailure {
  /** `unreachable`: the network is the reason, not the project. */
  readonly kind: 'unreachable' | 'failed';
  /** '' when uv said nothing. */
  readonly error: string;
}

/** Reads uv's stderr: what a person can do about a network is said, of all else uv's own reason in one line. */
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

/** True when what uv said means that the package index (or a download) could not be reached. */
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

/** uv's own reason in one line: what follows `error:` or its `×`, with the causes below it. */
export function reasonIn(stderr: string): string {
  const words = reasonLines(stderr).reduce((before, { text, isCause }) => {
    if (before === '') return text;
    return isCause && !/[.:;,!?]$/.test(before) ? `${before}: ${text}` : `${before} ${text}`;
  }, '');
  return words.length > 400 ? `${words.slice(0, 399)}…` : words;
}

function lastCause(stderr: string): string {
  const words = reasonLines(stderr).at(-1)?.text ?? '';
  return (words.length > 160 ? `${words.slice(0, 159)}…` : words).replace(/\.$/, '');
}

interface ReasonLine {
  readonly text: string;
  /** It says why what stands before it is so. */
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

const KEPT = 64 * 1024;

export interface UvEnd {
  readonly end: ToolEnd;
  /** Of the command whose end it is; its last characters. */
  readonly stderr: string;
}

/**
 * Runs uv, and once more without the network where the index is out of reach: what its cache holds is enough for
 * packages that any notebook had. Both go to the log; where neither works, it is the first that is reported.
 */
export async function runUv(run: ToolRun): Promise<UvEnd> {
  const started = performance.now();
  const first = await once(run);
  const isOut = first.end.kind === 'exited' && first.end.code !== 0 && isUnreachable(first.stderr);
  if (!isOut || run.env['UV_OFFLINE'] !== undefined) return first;
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
      if (stream === 'stderr') stderr = (stderr + text).slice(-KEPT);
      run.onText?.(stream, text);
    },
  });
  return { end, stderr };
}
