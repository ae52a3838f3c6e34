/** Runs harness/r/environment.R, which does the R part of environment jobs with renv. */

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NotebookFolder } from '../../notebook/folder/notebookFolder.ts';
import { refusedPlace } from '../project/checkPlaces.ts';
import { runTool, type ToolStream } from '../uv/runTool.ts';

/** What the R part of an environment needs from the program. */
export interface RTools {
  /** The Rscript to use now, or the reason why there is none, with what to do. */
  readonly find: () => Promise<{ readonly path: string } | { readonly message: string }>;
  /** `harness/r/environment.R`. */
  readonly script: string;
  /** Our own folder, per version of R, into which renv is installed when R lacks it. */
  readonly toolsDir: string;
  readonly env: NodeJS.ProcessEnv;
}

type RVerb = 'where' | 'restore' | 'add' | 'init';

export interface RCall {
  readonly dir: NotebookFolder;
  readonly tools: RTools;
  readonly rscript: string;
  readonly verb: RVerb;
  /** The folder that `restore` and `add` fill. */
  readonly library: string;
  /** The file that `add` and `init` write. */
  readonly lock: string;
  readonly package?: string;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  readonly onText?: (stream: ToolStream, text: string) => void;
}

type RAnswer =
  | { readonly kind: 'done'; readonly rVersion: string; readonly library: string }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'failed'; readonly error: string };

/** Runs `environment.R` once in the notebook's folder. Never throws for errors of R. */
export async function askR(call: RCall): Promise<RAnswer> {
  const problem = refusedPlace(call.dir, 'r');
  if (problem !== null) return { kind: 'failed', error: problem };
  // R does not remove its folder of temporary files when it is killed.
  const scratch = await mkdtemp(join(tmpdir(), 'cellar-r-'));
  try {
    const result = join(scratch, 'result.tsv');
    const end = await runTool({
      file: call.rscript,
      args: [
        // The project's own .Rprofile would start renv a second time, for another library.
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
    const failure = (error: string): RAnswer => ({ kind: 'failed', error });
    if (end.kind === 'timeout') {
      return failure(`R did not finish within ${Math.round(call.timeoutMs / 1000)} s.`);
    }
    if (end.kind === 'unstartable') return failure(`R cannot be started: ${end.message}.`);
    const fields = fieldsOf(await readFile(result, 'utf8').catch(() => ''));
    const [rVersion, library] = [fields.get('r_version'), fields.get('library')];
    const error = fields.get('error');
    if (error !== undefined) return failure(asSentence(error));
    if (end.code !== 0 || rVersion === undefined || library === undefined) {
      return failure(`R ended with exit code ${end.code} without an answer. See its log.`);
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

function asSentence(text: string): string {
  const short = text.length > 400 ? `${text.slice(0, 399)}…` : text.trim();
  return /[.!?…]$/.test(short) ? short : `${short}.`;
}
