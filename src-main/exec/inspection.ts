/** The interface of a console inside a cell: a process that evaluates expressions with the cell's values. */

import * as z from 'zod';
import { type HarnessInput, type HarnessManifest, harnessOutput } from '../../src-shared/wire/harness.ts';
import type { ClientAccess } from './clientAccess.ts';
import type { PythonInterpreter, SetupCode } from './interpreter.ts';

/** Time limits for loading the values and for evaluating one expression (docs/spec/tests-and-consoles.md, 2). */
export const INSPECT_START_MS = 15_000;
export const INSPECT_EVAL_MS = 10_000;
/** Completions that take longer are abandoned. */
export const INSPECT_COMPLETE_MS = 2_000;

/** A console to open: its values and where it runs. */
export interface InspectRequest {
  readonly interpreter: PythonInterpreter;
  readonly cellId: string;
  readonly notebookId: string;
  readonly inputs: Readonly<Record<string, HarnessInput>>;
  /** Mounts, downloaded files and tables, as a run of the cell gets them. */
  readonly mounts?: HarnessManifest['mounts'];
  readonly tables?: HarnessManifest['tables'];
  /** The client `svc`; absent: the console has none. */
  readonly client?: ClientAccess;
  readonly env: Readonly<Record<string, string>>;
  /** The notebook's folder: working directory and first entry of sys.path. */
  readonly cwd: string;
  /** Absent or null: the notebook has no set-up cell. */
  readonly setup?: SetupCode | null;
}

export type InspectStart =
  /** Ready to evaluate; `unread` has the reason for each value that could not be read. */
  | { readonly kind: 'ready'; readonly unread: Readonly<Record<string, string>> }
  | { readonly kind: 'failed'; readonly message: string };

/** What an evaluation displayed: a preview, with the bytes of a picture. */
export type InspectDisplay = z.infer<typeof inspectDisplay>;

interface Printed {
  /** At most the last 64 KiB of each stream; the first line says how much was left out. */
  readonly stdout: string;
  readonly stderr: string;
  readonly displays: readonly InspectDisplay[];
  readonly durationMs: number;
}

/** How one evaluation ended; all of these are expected. */
export type InspectAnswer =
  /** A statement has no value: `result` is null. */
  | ({ readonly kind: 'value'; readonly result: string | null; readonly type: string } & Printed)
  | ({
      readonly kind: 'failed';
      readonly error: string;
      readonly stopped: 'asked' | 'timeout' | null;
    } & Printed)
  /** The process ended, and all values are lost. */
  | ({ readonly kind: 'ended'; readonly error: string } & Printed);

/**
 * A process that evaluates expressions with a cell's values, one after another. `ended` resolves with a message once it
 * and everything it started have ended; it does not change stored results.
 */
export interface Inspection {
  readonly started: Promise<InspectStart>;
  readonly ended: Promise<string>;
  /** Waits for earlier evaluations and completions. */
  evaluate(expr: string): Promise<InspectAnswer>;
  /** Names that can replace the last one before the caret; waits for earlier evaluations and completions. */
  complete(text: string): Promise<readonly string[]>;
  /** Interrupts the evaluation, first gently, then by ending the process. */
  interrupt(): void;
  /** Ends the process and everything it started. */
  close(): Promise<void>;
}

const inspectDisplay = z.intersection(harnessOutput, z.object({ data: z.string().optional() }));

/** The first line that the harness sends (harness/CONTRACT.md, Consoles). */
export const inspectReady = z.object({
  ok: z.literal(true),
  result: z.literal('ready'),
  unread: z.record(z.string(), z.string()),
});
/** The line for an evaluation that has started; only from then on can a signal stop it. */
export const inspectBegan = z.object({ began: z.literal(true) });
export const inspectReply = z.discriminatedUnion('ok', [
  z.object({
    ok: z.literal(true),
    result: z.string().optional(),
    type: z.string(),
    /** The names of a completion. */
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
