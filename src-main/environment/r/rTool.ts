import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { refusedPlace } from '../project/checkPlaces.ts';
import { runTool, type ToolStream } from '../uv/runTool.ts';

/** What R's part of an environment needs of the program around it. */
export interface RTools {
  /** The Rscript to work with now, or why there is none and what to do. */
  readonly find: () => Promise<{ readonly path: string } | { readonly words: string }>;
  /** `harness/r/environment.R`. */
  readonly script: string;
  /** Where renv goes that this R lacks; a folder of ours, per version of R. */
  readonly toolsDir: string;
  readonly env: NodeJS.ProcessEnv;
}

export type RVerb = 'where' | 'restore' | 'add' | 'init';

export interface RCall {
  readonly dir: string;
  readonly tools: RTools;
  readonly rscript: string;
  readonly verb: RVerb;
  /** Filled by `restore` and `add`. */
  readonly library: string;
  /** Written by `add` and `init`. */
  readonly lock: string;
  readonly package?: string;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  readonly onText?: (stream: ToolStream, text: string) => void;
}

export type RAnswer =
  | { readonly kind: 'done'; readonly rVersion: string; readonly library: string }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'failed'; readonly error: string };

/** One run of `environment.R` in the notebook's folder. Never throws for what R does. */
export async function askR(call: RCall): Promise<RAnswer> {
  const problem = refusedPlace(call.dir, 'r');
  if (problem !== null) return { kind: 'failed', error: problem };
  // R leaves its folder of temporary files behind when it is killed.
  const scratch = await mkdtemp(join(tmpdir(), 'cellar-r-'));
  try {
    const result = join(scratch, 'result.tsv');
    const end = await runTool({
      file: call.rscript,
      args: [
        // The project's own .Rprofile would start renv a second time, over another library.
        ...['--no-save', '--no-restore', '--no-init-file', call.tools.script, call.verb],
        ...[result, call.library, call.lock, call.tools.toolsDir],
        ...(call.package === undefined ? [] : [call.package]),
      ],
      cwd: call.dir,
      env: { ...call.tools.env, TMPDIR: scratch },
      timeoutMs: call.timeoutMs,
      ...(call.signal ? { signal: call.signal } : {}),
      onText: call.onText ?? (() => undefined),
    });
    if (end.kind === 'cancelled') return { kind: 'cancelled' };
    const failed = (error: string): RAnswer => ({ kind: 'failed', error });
    if (end.kind === 'timeout') {
      return failed(`R did not finish within ${Math.round(call.timeoutMs / 1000)} s.`);
    }
    if (end.kind === 'unstartable') return failed(`R cannot be started: ${end.message}.`);
    const said = fieldsOf(await readFile(result, 'utf8').catch(() => ''));
    const [rVersion, library] = [said.get('r_version'), said.get('library')];
    const error = said.get('error');
    if (error !== undefined) return failed(sentence(error));
    if (end.code !== 0 || rVersion === undefined || library === undefined) {
      return failed(`R ended with exit code ${end.code} without an answer. See its log.`);
    }
    return { kind: 'done', rVersion, library };
  } finally {
    await rm(scratch, { recursive: true, force: true, maxRetries: 3 });
  }
}

function fieldsOf(text: string): ReadonlyMap<string, string> {
  return new Map(
    text.split(/\r?\n/).flatMap((line) => {
      const at = line.indexOf('\t');
      return at === -1 ? [] : [[line.slice(0, at), line.slice(at + 1)] as const];
    }),
  );
}

function sentence(words: string): string {
  const short = words.length > 400 ? `${words.slice(0, 399)}…` : words.trim();
  return /[.!?…]$/.test(short) ? short : `${short}.`;
}
