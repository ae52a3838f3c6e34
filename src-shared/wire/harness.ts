/**
 * The two files the server and a harness exchange: the manifest (server → harness) and the result
 * (harness → server). Prose, file layout and examples: `harness/CONTRACT.md`. harness 1, values 2.
 *
 * Keys marked *added* are ours, beyond the specification; a reader must do without them.
 */
import * as z from 'zod';

/** What may be spent on a value nobody reads yet, in bytes: so many, or so many for each second the cell took. */
export const allowance = z.object({ bytes: z.int().min(0), bytes_per_second: z.int().min(0) });
export type Allowance = z.infer<typeof allowance>;

/** A value stored in a file. `file` is absolute or relative to `output_dir`. */
export interface StoredInput {
  readonly content_type: string;
  readonly file: string;
  readonly uri?: string | undefined;
  /**
   * Values the code in it needs beside it: of a module/cell by name; added: of an instance or pickle by the key its
   * result gave, and with injected values of their own.
   */
  readonly injected?: Readonly<Record<string, StoredInput>> | undefined;
}

const storedInput: z.ZodType<StoredInput> = z.object({
  content_type: z.string(),
  file: z.string(),
  uri: z.string().optional(),
  injected: z
    .record(
      z.string(),
      z.lazy(() => storedInput),
    )
    .optional(),
});

/** A variable every variant of a sweep defines: the cell sees a dict variant → value. */
const sweepInput = z.object({ kind: z.literal('sweep_dict'), variants: z.record(z.string(), storedInput) });

export const harnessInput = z.union([storedInput, sweepInput]);

/** The set-up cell: run in the process before the inputs are read, in a namespace of its own. */
export const setupPart = z.object({
  source: z.string(),
  /** Shown in tracebacks as `<set-up cell NAME>`. */
  cell_name: z.string(),
});

/** What a harness is asked to run. Every key but `source` and `output_dir` may be absent. */
export const harnessManifest = z.object({
  source: z.string(),
  /** Added. Shown in tracebacks as `<cell NAME>`; default `cell`. */
  cell_name: z.string().optional(),
  /** Added. Working directory and first entry of sys.path: the notebook's folder. Default: unchanged. */
  cwd: z.string().optional(),
  /** Added. */
  setup: setupPart.optional(),
  inputs: z.record(z.string(), harnessInput).optional(),
  /** Absolute; exists and is writable. The result file and every value file land here. */
  output_dir: z.string(),
  mounts: z
    .record(z.string(), z.object({ uri: z.string(), mode: z.enum(['ro', 'rw']), local_path: z.string() }))
    .optional(),
  tables: z
    .record(
      z.string(),
      z.object({ uri: z.string(), snapshot_id: z.union([z.number(), z.string()]).nullable() }),
    )
    .optional(),
  /** Set over the inherited environment before any input is read. */
  env: z.record(z.string(), z.string()).optional(),
  /** Names the cell changes in place: exported although they are the same object as the input. */
  mutation_defines: z.array(z.string()).optional(),
  /**
   * Added. Names that the cell or its code reads, that no cell above defines and a cell below does → how that cell is
   * called. Its functions may read them: the cell that calls the function binds them.
   */
  below: z.record(z.string(), z.string()).optional(),
  /** Added. Where the notebook's server stores inputs that say no `uri`: a worker has files alone. */
  input_uris: z.record(z.string(), z.string()).optional(),
  /**
   * Added. Exported names to serialise in full; every other exported name gets a preview only (no file).
   * Absent or `all`: every exported name, as harness 2 has it.
   */
  store: z.union([z.literal('all'), z.array(z.string())]).optional(),
  /** Added. No cell reads the names of `store` yet: a value beyond this gets a preview only. Absent: none is. */
  unread: allowance.optional(),
  svc_url: z.string().optional(),
  svc_headers: z.record(z.string(), z.string()).optional(),
  svc_cell_id: z.string().optional(),
  /** Added. With the cell's, part of the module names of shared code. */
  svc_notebook_id: z.string().optional(),
  svc_promote_url: z.string().optional(),
  loop: z.object({ iteration: z.int().min(0), until_expr: z.string().optional() }).optional(),
  /** Added. Tests to run instead of exporting what the cell leaves; `file` is how the test file is shown. */
  tests: z.object({ source: z.string(), file: z.string(), name: z.string() }).optional(),
  /** Added. Values to put into words for a prompt, at most `room` characters each, instead of running a cell. */
  prompt_values: z
    .object({
      room: z.int().min(1),
      values: z.array(
        z.object({
          root: z.string(),
          steps: z.array(z.object({ name: z.string(), arguments: z.string().nullable() })),
        }),
      ),
    })
    .optional(),
  stream_console: z.boolean().optional(),
});

/** One column of a stored table. `index` marks a column that is a pandas index level. */
const columnMeta = z.object({ name: z.string(), dtype: z.string(), index: z.literal(true).optional() });

/**
 * A value the cell produced: a variable or a display.
 *
 * `file` (relative to `output_dir`) is absent when only a preview was asked for; then `bytes` is 0 and
 * `sha256` is absent. Nulls in previews are `null`; integers beyond ±(2^53 − 1) and non-finite floats are
 * strings, so that the file is strict JSON.
 */
export const outputMeta = z.object({
  content_type: z.string(),
  file: z.string().optional(),
  bytes: z.int().min(0),
  preview: z.unknown(),
  rows: z.int().min(0).optional(),
  columns: z.array(z.string()).optional(),
  width: z.int().min(0).optional(),
  height: z.int().min(0).optional(),
  /** Pickles: which pickler wrote them, and the class name of the value. */
  codec: z.enum(['cloudpickle', 'pickle']).optional(),
  type: z.string().optional(),
  /** Added. Lower-case hex of the file's bytes, computed while they were written. */
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
  /** Added. Columns of a table as the file holds them. */
  schema: z.array(columnMeta).optional(),
  /** Added. The preview is a part of the value. */
  preview_truncated: z.literal(true).optional(),
  /**
   * Added, of pickles and instances: the repr, at most 4000 characters of a display; of a variable at most 200, where
   * no code of others runs for it.
   */
  text: z.string().optional(),
  /** Added. A display would be more with this package, which the environment lacks: a table without pyarrow. */
  lacks: z.string().optional(),
  /** Only an R session can read the file. */
  r_only: z.boolean().optional(),
  /**
   * Added. Values the code in the file needs beside it: the URI of each, or null for what this run stored under that
   * name itself. The server pins them.
   */
  injected: z.record(z.string(), z.string().nullable()).optional(),
  /** Added. module/cell: SHA-256 of the source as Python prints it: comments and spacing do not count. */
  source_hash: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
});

/** Why a function or class cannot leave its cell as source (analysis-and-graph 2); CONTRACT.md says what each means. */
export const blockReason = z.object({
  code: z.enum([
    ...(['star_import', 'unknown_at_definition', 'changed_after', 'unknown', 'rebound', 'lambda'] as const),
    // Known only once the cell has run:
    ...(['closure', 'missing', 'unstorable', 'circular', 'changed_attribute'] as const),
  ]),
  /** What it is about: a name, for a star import the module. */
  name: z.string(),
  /** The function or class where the trouble is; empty where it is the whole cell's. */
  within: z.string(),
  detail: z.string().optional(),
});
export type BlockReason = z.infer<typeof blockReason>;

/** The file of a module/cell variable as the harness leaves it; publishing adds names and pins. */
export const sharedSource = z.object({
  module_name: z.string().optional(),
  symbol_name: z.string(),
  kind: z.enum(['function', 'async function', 'class', 'constant']),
  source: z.string(),
  injected: z.record(z.string(), z.string().nullable()),
  cell_name: z.string(),
  /** Added. Names that other symbols of the source get injected, where this one does not. */
  pinned: z.array(z.string()).optional(),
});

/** A value that could not be serialised, or a display that could not be rendered. */
export const outputFailure = z.object({
  content_type: z.literal('error').optional(),
  error: z.string(),
  type: z.string(),
  /** Added. A function or class that cannot leave its cell, and why. */
  reasons: z.array(blockReason).optional(),
});

export const mutationWarning = z.object({
  var_name: z.string(),
  message: z.string(),
  suggestion: z.string().nullable(),
  /** Added. What the window offers: assign the name in this cell, or make it a set-up cell. */
  fix: z.enum(['keep', 'setup']).optional().catch(undefined),
});

/** `output` entries are told from failures by the `error` key: see `isOutputFailure`. */
export const harnessOutput = z.union([outputFailure, outputMeta]);

/** A file as a run left or met it; `mtime_ns` in digits, "0" where only the bytes can tell whether it changed. */
const observedFile = z.object({
  path: z.string(),
  size: z.int().min(0),
  mtime_ns: z.string().regex(/^-?\d+$/),
  /** Null for a file too large to hash, or one that changed while the run read it. */
  sha256: z.string().nullable(),
});

/** What a run did beyond its own values, as far as the harness sees it (docs/soundness.md). Paths are absolute. */
export const observed = z.object({
  reads: z.array(observedFile),
  /** Files it looked for in vain. */
  absent: z.array(z.string()),
  /** Folders it listed: SHA-256 over their sorted names, null where there was no such folder. */
  listed: z.array(z.object({ path: z.string(), sha256: z.string().nullable() })),
  /** What it wrote, as it was in the end. */
  wrote: z.array(
    z.union([
      observedFile,
      z.object({ path: z.string(), gone: z.literal(true) }),
      z.object({ path: z.string(), folder: z.literal(true) }),
    ]),
  ),
  /** Environment variables it read by name; `env_all`: it went through all of them. */
  env: z.array(z.string()),
  env_all: z.boolean(),
  /** Why not all of it could be seen: `network`, `process`, `native:<name>`, `too_many`, `unclear`. */
  open: z.array(z.string()),
  /** Its code names a clock or a source of random numbers. */
  unsteady: z.boolean(),
  /** Added. What of the installed packages it depends on. */
  packages: z
    .object({
      /** Top-level names it asked for, found or not; `dist:<name>`: the metadata of a distribution. */
      names: z.array(z.string()),
      /** It may depend on everything that is installed. */
      whole: z.boolean(),
    })
    .optional(),
});
export type Observed = z.infer<typeof observed>;

const resultBase = {
  /** Added. Of a run that succeeded. */
  observed: observed.optional(),
  variables: z.record(z.string(), harnessOutput),
  displays: z.array(harnessOutput),
  /** Present only when the harness captured the streams itself; ours leaves them on fd 1 and 2. */
  stdout: z.string().optional(),
  stderr: z.string().optional(),
  mutation_warnings: z.array(mutationWarning),
  /** `cpython-3.13-linux-x86_64`; empty when unknown. */
  build_env: z.string(),
  loop: z.object({ until_reached: z.boolean(), error: z.string().optional() }).optional(),
};

/** `<output_dir>/harness-result.json`. A failed cell keeps the displays it made before the error. */
export const harnessResult = z.discriminatedUnion('success', [
  z.object({ success: z.literal(true), ...resultBase }),
  z.object({
    success: z.literal(false),
    ...resultBase,
    /** `ZeroDivisionError: division by zero`. */
    error: z.string(),
    /** Full text, starting at the cell's own frame; empty when there is none. */
    traceback: z.string(),
    /** Added. Set when the cell did not fail by itself: an input could not be given to it, its tests have no pytest. */
    error_code: z
      .enum(['R_ONLY_ARTIFACT', 'PYTHON_ONLY_ARTIFACT', 'PRECISION_NARROWED', 'PYTEST_MISSING'])
      .optional(),
  }),
]);

/** Name of the result file inside `output_dir`. */
export const HARNESS_RESULT_FILE = 'harness-result.json';
/** What the server leaves there for it. */
export const MANIFEST_FILE = 'manifest.json';

export type HarnessInput = z.infer<typeof harnessInput>;
export type HarnessManifest = z.infer<typeof harnessManifest>;
export type OutputMeta = z.infer<typeof outputMeta>;
export type OutputFailure = z.infer<typeof outputFailure>;
export type HarnessOutput = z.infer<typeof harnessOutput>;
export type MutationWarning = z.infer<typeof mutationWarning>;
export type HarnessResult = z.infer<typeof harnessResult>;

export function isOutputFailure(output: HarnessOutput): output is OutputFailure {
  return 'error' in output;
}
