/**
 * The two files that the server and a harness (the program that runs a cell) exchange: the manifest for the harness and
 * its result (docs/spec/harness.md, 1; docs/spec/values.md, 2). Text, file layout and examples: `harness/CONTRACT.md`.
 * Keys marked *added* are extensions of the specification; a reader must work without them.
 */
import * as z from 'zod';

/**
 * The limit for storing values that no cell reads yet: bytes, and bytes per second of the cell's duration.
 */
export const allowance = z.object({ bytes: z.int().min(0), bytes_per_second: z.int().min(0) });
export type Allowance = z.infer<typeof allowance>;

/** A value stored in a file. `file` is absolute or relative to `output_dir`. */
export interface StoredInput {
  readonly content_type: string;
  readonly file: string;
  readonly uri?: string | undefined;
  /**
   * Values that the code in it needs: for a module/cell by name; added: for an instance or pickle by the key
   * from its result, each with its own injected values.
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

const harnessInput = z.union([storedInput, sweepInput]);

/** The set-up cell: runs in the process before the inputs are read, in its own namespace. */
export const setupPart = z.object({
  source: z.string(),
  /** Shown in tracebacks as `<set-up cell NAME>`. */
  cell_name: z.string(),
});

/** The request to a harness. Every key but `source` and `output_dir` may be absent. */
export const harnessManifest = z.object({
  source: z.string(),
  /** Added. Shown in tracebacks as `<cell NAME>`; default `cell`. */
  cell_name: z.string().optional(),
  /** Added. Working directory and first entry of sys.path: the notebook's folder. Default: unchanged. */
  cwd: z.string().optional(),
  /** Added. */
  setup: setupPart.optional(),
  inputs: z.record(z.string(), harnessInput).optional(),
  /** Absolute; exists and is writable. The result file and all value files are written here. */
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
  /** Names the cell changes in place: exported although they are the same objects as the inputs. */
  mutation_defines: z.array(z.string()).optional(),
  /**
   * Added. Names that the cell or its code reads and that only a later cell defines → the display name of
   * that cell. Its functions may read them: the cell that calls the function binds them.
   */
  below: z.record(z.string(), z.string()).optional(),
  /** Added. The server's store URIs of inputs without a `uri`: a worker only has files. */
  input_uris: z.record(z.string(), z.string()).optional(),
  /**
   * Added. Exported names to serialise in full; every other exported name only gets a preview (no file).
   * Absent or `all`: every exported name, as in harness 2.
   */
  store: z.union([z.literal('all'), z.array(z.string())]).optional(),
  /**
   * Added. No cell reads the names in `store` yet: a value beyond this limit only gets a preview. Absent: no
   * limit.
   */
  unread: allowance.optional(),
  /**
   * Added. A run that shows widgets stays for them once its result is written: it writes `mark` to both of
   * its streams, then connects to that local port and sends the token.
   */
  keep: z.object({ port: z.number().int(), token: z.string(), mark: z.string() }).optional(),
  /** Absent: the cell has no client `svc`. Empty: there is no server, and the client says so. */
  svc_url: z.string().optional(),
  svc_headers: z.record(z.string(), z.string()).optional(),
  svc_cell_id: z.string().optional(),
  /** Added. Together with the cell's id part of the module names of shared code. */
  svc_notebook_id: z.string().optional(),
  svc_promote_url: z.string().optional(),
  /** Added. What is sent to `svc_promote_url`; absent: `svc_headers`. */
  svc_promote_headers: z.record(z.string(), z.string()).optional(),
  loop: z.object({ iteration: z.int().min(0), until_expr: z.string().optional() }).optional(),
  /**
   * Added. Tests to run instead of exporting the cell's results; `file` is the displayed name of the test
   * file.
   */
  tests: z.object({ source: z.string(), file: z.string(), name: z.string() }).optional(),
  /** Added. Values to format for a prompt, at most `room` characters each, instead of running a cell. */
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

/** One column of a stored table. `index` marks a level of the pandas index. */
const columnMeta = z.object({ name: z.string(), dtype: z.string(), index: z.literal(true).optional() });

/**
 * A value the cell produced: a variable or a display. `file` (relative to `output_dir`) is absent when only a
 * preview was requested; then `bytes` is 0 and `sha256` is absent. Nulls in previews are `null`; integers
 * beyond ±(2^53 − 1) and non-finite floats are strings, so that the file is strict JSON.
 */
const outputMeta = z.object({
  content_type: z.string(),
  file: z.string().optional(),
  bytes: z.int().min(0),
  preview: z.unknown(),
  rows: z.int().min(0).optional(),
  columns: z.array(z.string()).optional(),
  width: z.int().min(0).optional(),
  height: z.int().min(0).optional(),
  /** Pickles: the pickler, and the class name of the value. */
  codec: z.enum(['cloudpickle', 'pickle']).optional(),
  type: z.string().optional(),
  /** Added. Lower-case hex of the file's bytes, computed while writing. */
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
  /** Added. Columns of the table in the file. */
  schema: z.array(columnMeta).optional(),
  /** Added. The preview is a part of the value. */
  preview_truncated: z.literal(true).optional(),
  /**
   * Added, for pickles and instances: the repr, at most 4000 characters for a display; for a variable at most
   * 200, if computing it runs no foreign code.
   */
  text: z.string().optional(),
  /**
   * Added. A package that is missing in the environment and would improve the display: for a table pyarrow.
   */
  lacks: z.string().optional(),
  /** Only an R session can read the file. */
  r_only: z.boolean().optional(),
  /**
   * Added. Values the code in the file needs: the URI of each, or null for a value this run stored under that
   * name. The server pins them.
   */
  injected: z.record(z.string(), z.string().nullable()).optional(),
  /** Added. module/cell: SHA-256 of the source as unparsed by Python: comments and spacing do not count. */
  source_hash: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
});

/**
 * Why a function or class cannot be shared as source (docs/spec/analysis-and-graph.md, 2); CONTRACT.md explains the
 * kinds.
 */
const blockReason = z.object({
  code: z.enum([
    ...(['star_import', 'unknown_at_definition', 'changed_after', 'unknown', 'rebound', 'lambda'] as const),
    // Known only once the cell has run:
    ...(['closure', 'missing', 'unstorable', 'circular', 'changed_attribute'] as const),
  ]),
  /** The name it is about, for a star import the module. */
  name: z.string(),
  /** The function or class with the problem; empty if it is the whole cell. */
  within: z.string(),
  detail: z.string().optional(),
});
export type BlockReason = z.infer<typeof blockReason>;

/** The file of a module/cell variable as the harness writes it; publishing adds names and pins. */
export const sharedSource = z.object({
  module_name: z.string().optional(),
  symbol_name: z.string(),
  kind: z.enum(['function', 'async function', 'class', 'constant']),
  source: z.string(),
  injected: z.record(z.string(), z.string().nullable()),
  cell_name: z.string(),
  /** Added. Names that are injected for other symbols of the source, but not for this one. */
  pinned: z.array(z.string()).optional(),
});

/** A value that could not be serialised, or a display that could not be rendered. */
const outputFailure = z.object({
  content_type: z.literal('error').optional(),
  error: z.string(),
  type: z.string(),
  /** Added. A function or class that cannot be shared, and why. */
  reasons: z.array(blockReason).optional(),
});

export const mutationWarning = z.object({
  var_name: z.string(),
  message: z.string(),
  suggestion: z.string().nullable(),
  /** Added. The fix that the window offers: assign the name in this cell, or make it a set-up cell. */
  fix: z.enum(['keep', 'setup']).optional().catch(undefined),
});

/** `output` entries differ from failures by the `error` key: see `isOutputFailure`. */
export const harnessOutput = z.union([outputFailure, outputMeta]);

/** A file after a run; `mtime_ns` in digits, "0" if only the bytes can show a change. */
const observedFile = z.object({
  path: z.string(),
  size: z.int().min(0),
  mtime_ns: z.string().regex(/^-?\d+$/),
  /** Null for a file too large to hash, or one that changed while the run read it. */
  sha256: z.string().nullable(),
});

/**
 * The actions of a run beyond its own values, as far as the harness observes them (docs/soundness.md). Paths
 * are absolute.
 */
const observed = z.object({
  reads: z.array(observedFile),
  /** Files it looked up that do not exist. */
  absent: z.array(z.string()),
  /** Folders it listed: SHA-256 over their sorted names, null if there is no such folder. */
  listed: z.array(z.object({ path: z.string(), sha256: z.string().nullable() })),
  /** What it wrote, in its final state. */
  wrote: z.array(
    z.union([
      observedFile,
      z.object({ path: z.string(), gone: z.literal(true) }),
      z.object({ path: z.string(), folder: z.literal(true) }),
    ]),
  ),
  /** Environment variables it read by name; `env_all`: it iterated over all of them. */
  env: z.array(z.string()),
  env_all: z.boolean(),
  /** Why the observation is incomplete: `network`, `process`, `native:<name>`, `too_many`, `unclear`. */
  open: z.array(z.string()),
  /** Whether the run's code refers to a clock or a source of random numbers. */
  unsteady: z.boolean(),
  /** Added. The installed packages it depends on. */
  packages: z
    .object({
      /** Top-level names it looked up, found or not; `dist:<name>`: the metadata of a distribution. */
      names: z.array(z.string()),
      /** Whether the run may depend on all installed packages. */
      whole: z.boolean(),
    })
    .optional(),
});
export type Observed = z.infer<typeof observed>;

/**
 * The resources of a run: CPU time of its process and of the ended children, the largest resident size of one of them.
 */
const runUsage = z.object({
  cpu_seconds: z.number().min(0),
  peak_bytes: z.int().min(0),
  /** Added by the server: the largest GPU memory of its processes. Absent without a GPU, and if the run used none. */
  gpu_peak_bytes: z.int().min(0).optional(),
});
export type RunUsage = z.infer<typeof runUsage>;

const resultBase = {
  /** Added by Cellar. Absent if the system does not measure it. */
  usage: runUsage.optional().catch(undefined),
  /** Added. For a successful run. */
  observed: observed.optional(),
  variables: z.record(z.string(), harnessOutput),
  displays: z.array(harnessOutput),
  /** Only if the harness captured the streams itself; ours leaves them on fd 1 and 2. */
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
    /** Complete text, starting at the cell's own frame; empty when there is none. */
    traceback: z.string(),
    /** Added. Set when the failure is not the cell's own: an input was unavailable, or pytest is missing. */
    error_code: z
      .enum(['R_ONLY_ARTIFACT', 'PYTHON_ONLY_ARTIFACT', 'PRECISION_NARROWED', 'PYTEST_MISSING'])
      .optional(),
  }),
]);

/** Name of the result file inside `output_dir`. */
export const HARNESS_RESULT_FILE = 'harness-result.json';
/** Name of the manifest file in the same folder. */
export const MANIFEST_FILE = 'manifest.json';

export type HarnessInput = z.infer<typeof harnessInput>;
export type HarnessManifest = z.infer<typeof harnessManifest>;
export type OutputMeta = z.infer<typeof outputMeta>;
type OutputFailure = z.infer<typeof outputFailure>;
export type HarnessOutput = z.infer<typeof harnessOutput>;
export type HarnessResult = z.infer<typeof harnessResult>;

/** Whether an output could not be stored. */
export function isOutputFailure(output: HarnessOutput): output is OutputFailure {
  return 'error' in output;
}
