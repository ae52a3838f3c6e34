import * as z from 'zod';
import { type HarnessInput, type HarnessManifest, harnessOutput } from '../../src-shared/wire/harness.ts';
import type { PythonInterpreter, SetupCode } from './executor.ts';

/** tests-and-consoles: how long the values may take to load, and one expression to be evaluated. */
export const INSPECT_START_MS = 15_000;
export const INSPECT_EVAL_MS = 10_000;
/** Names that take longer are not worth waiting for. */
export const INSPECT_COMPLETE_MS = 2_000;

/** A console to open: whose values it begins with, and where. */
export interface InspectRequest {
  readonly interpreter: PythonInterpreter;
  readonly cellId: string;
  readonly notebookId: string;
  readonly inputs: Readonly<Record<string, HarnessInput>>;
  /** Mounts and fetched files, and tables, as a run of the cell has them. */
  readonly mounts?: HarnessManifest['mounts'];
  readonly tables?: HarnessManifest['tables'];
  readonly env: Readonly<Record<string, string>>;
  /** The notebook's folder: working directory and first entry of sys.path. */
  readonly cwd: string;
  /** Absent or null: the notebook has no set-up cell. */
  readonly setup?: SetupCode | null;
}

export type InspectStart =
  /** Ready to evaluate; `unread` says in words why a value is not there. */
  | { readonly kind: 'ready'; readonly unread: Readonly<Record<string, string>> }
  | { readonly kind: 'failed'; readonly message: string };

/** What an evaluation showed: a preview, with the bytes of a picture. */
export type InspectDisplay = z.infer<typeof inspectDisplay>;

interface Printed {
  /** At most the last 64 KiB of each, its first line saying how much was left out. */
  readonly stdout: string;
  readonly stderr: string;
  readonly displays: readonly InspectDisplay[];
  readonly durationMs: number;
}

/** How one evaluation ended; all of these are ordinary. */
export type InspectAnswer =
  /** A statement has no value: `result` is null. */
  | ({ readonly kind: 'value'; readonly result: string | null; readonly type: string } & Printed)
  | ({
      readonly kind: 'failed';
      readonly error: string;
      readonly stopped: 'asked' | 'timeout' | null;
    } & Printed)
  /** The process is gone, and every value with it. */
  | ({ readonly kind: 'ended'; readonly error: string } & Printed);

/**
 * A process that evaluates expressions among a cell's values, one after another. `ended` resolves, with words, when it
 * and everything it started are gone; nothing it does changes what is stored.
 */
export interface Inspection {
  readonly started: Promise<InspectStart>;
  readonly ended: Promise<string>;
  /** Waits for those asked before it. */
  evaluate(expr: string): Promise<InspectAnswer>;
  /** Names that may stand in place of the last one in the text before the caret; waits for those asked before it. */
  complete(text: string): Promise<readonly string[]>;
  /** Stops what is being evaluated: gently, then harder, which ends the process. */
  interrupt(): void;
  /** Ends the process and everything it started. */
  close(): Promise<void>;
}

const inspectDisplay = z.intersection(harnessOutput, z.object({ data: z.string().optional() }));

/** Lines of the harness (harness/CONTRACT.md, Inspecting). */
export const inspectReady = z.object({
  ok: z.literal(true),
  result: z.literal('ready'),
  unread: z.record(z.string(), z.string()),
});
/** It evaluates from now on, and can be stopped. */
export const inspectBegan = z.object({ began: z.literal(true) });
export const inspectReply = z.discriminatedUnion('ok', [
  z.object({
    ok: z.literal(true),
    result: z.string().optional(),
    type: z.string(),
    /** What a completion found. */
    names: z.array(z.string()).optional(),
    displays: z.array(inspectDisplay),
  }),
  z.object({
    ok: z.literal(false),
    error: z.string(),
    interrupted: z.literal(true).optional(),
    displays: z.array(inspectDisplay),
  }),
]);
