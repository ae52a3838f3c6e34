/**
 * The wire forms in which a cell is sent to a worker, and the parameters that are common to all of them
 * (docs/spec/worker-protocol.md, 3).
 */

import * as z from 'zod';
import { allowance, setupPart } from '../harness.ts';
import {
  DEFAULT_TIMEOUT_SECONDS,
  EXECUTOR_PROTOCOL,
  NOTEBOOK_CELL_PROTOCOL,
  NOTEBOOK_CELL_REF,
} from './protocol.ts';

/** One mount as sent; the worker uses its own credentials. */
const travellingMount = z.object({
  name: z.string(),
  uri: z.string(),
  mode: z.enum(['ro', 'rw']).default('ro'),
  pin: z.string().nullish(),
  options: z
    .record(z.string(), z.unknown())
    .nullish()
    .transform((options) => options ?? {}),
  credential: z.string().nullish(),
});

/** A table pinned to a snapshot. */
const travellingTable = z.object({
  uri: z.string(),
  snapshot_id: z.union([z.number(), z.string()]).nullish(),
});

const emptyIfNull = <T extends z.ZodType>(schema: T, empty: z.infer<T>) =>
  schema.nullish().transform((value) => value ?? empty);

/** The fields of a cell that have the same names in every envelope. */
export const cellParams = z.object({
  source: z.string(),
  timeout_seconds: z.number().nonnegative().default(DEFAULT_TIMEOUT_SECONDS),
  mounts: emptyIfNull(z.array(travellingMount), []),
  env: emptyIfNull(z.record(z.string(), z.string()), {}),
  mutation_defines: emptyIfNull(z.array(z.string()), []),
  tables: emptyIfNull(z.record(z.string(), travellingTable), {}),
  /** Parsed by the language's own schema once the language is known. */
  environment: z.unknown().optional(),
  language: z.string().nullish(),
  /** Extension, read by our workers: the same fields that a local run gets. Other workers ignore them. */
  cell_name: z.string().optional(),
  store: z.array(z.string()).optional(),
  unread: allowance.optional(),
  /** Sent only if the worker's health lists the feature. */
  setup: setupPart.optional(),
  below: z.record(z.string(), z.string()).optional(),
  input_uris: z.record(z.string(), z.string()).optional(),
  svc_cell_id: z.string().optional(),
  svc_notebook_id: z.string().optional(),
});
export type CellParams = z.infer<typeof cellParams>;

/** A value the code in an input needs: a further part of the form. */
export interface InjectedPart {
  readonly content_type: string;
  readonly file: string;
  readonly uri?: string | undefined;
  readonly injected?: Readonly<Record<string, InjectedPart>> | undefined;
}
const injectedPart: z.ZodType<InjectedPart> = z.object({
  content_type: z.string(),
  file: z.string(),
  uri: z.string().optional(),
  injected: z
    .record(
      z.string(),
      z.lazy(() => injectedPart),
    )
    .optional(),
});

/** One input variable; its part of the form is called `name`, or `file` in older versions. */
const inputDescriptor = z.object({
  name: z.string().min(1),
  format: z.string().default('pickle/object'),
  uri: z.string().nullish(),
  byte_size: z.number().nullish(),
  file: z.string().nullish(),
  injected: z.record(z.string(), injectedPart).nullish(),
});

/** `metadata` of POST /v1/execute. */
export const pushEnvelope = z.object({
  protocol_version: z.literal(EXECUTOR_PROTOCOL).default(EXECUTOR_PROTOCOL),
  build_id: z.string().nullish(),
  tenant: z.string().nullish(),
  principal: z.string().nullish(),
  origin: z.enum(['notebook', 'run']).nullish().catch(null),
  provenance_hash: z.string().nullish(),
  transform: z.object({
    ref: z.literal(NOTEBOOK_CELL_REF),
    code_hash: z.string().nullish(),
    params: cellParams,
  }),
  inputs: emptyIfNull(z.array(inputDescriptor), []),
});
/** As written by a sender: fields with defaults may be omitted. */
export type PushEnvelopeInput = z.input<typeof pushEnvelope>;

/** `metadata` of POST /v1/notebook-execute. */
export const flatEnvelope = cellParams.extend({
  protocol_version: z.literal(NOTEBOOK_CELL_PROTOCOL),
  build_id: z.string().nullish(),
  inputs: emptyIfNull(
    z.record(
      z.string().min(1),
      z.object({
        content_type: z.string().default('pickle/object'),
        file: z.string().nullish(),
        injected: z.record(z.string(), injectedPart).nullish(),
      }),
    ),
    {},
  ),
});
