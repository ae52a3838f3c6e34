/** Reads the cell to run from the metadata of a request to a worker, in any of its forms. */

import { basename } from 'node:path';
import type * as z from 'zod';
import {
  type CellParams,
  flatEnvelope,
  type InjectedPart,
  pushEnvelope,
} from '../../src-shared/wire/worker/envelope.ts';
import {
  EXECUTOR_PROTOCOL,
  NOTEBOOK_CELL_PROTOCOL,
  NOTEBOOK_CELL_REF,
} from '../../src-shared/wire/worker/protocol.ts';
import { WorkerRefusal } from './refusal.ts';

/** A cell to run, independent of the envelope it came in. */
export interface CellJob {
  readonly buildId: string | null;
  readonly params: CellParams;
  readonly inputs: Readonly<Record<string, PartInput>>;
}

interface PartInput {
  readonly contentType: string;
  /** The name of the form's field or file to use if no part has the input's name. */
  readonly file: string | null;
  readonly injected: Readonly<Record<string, InjectedPart>>;
}

/** Reads the `metadata` of POST /v1/execute. @throws WorkerRefusal 400 */
export function jobOfPush(text: string | null): CellJob {
  const raw = metadataOf(text);
  checkVersion(Reflect.get(raw, 'protocol_version') ?? EXECUTOR_PROTOCOL, EXECUTOR_PROTOCOL);
  const transform: unknown = Reflect.get(raw, 'transform');
  const ref: unknown =
    typeof transform === 'object' && transform !== null ? Reflect.get(transform, 'ref') : undefined;
  if (ref !== NOTEBOOK_CELL_REF) {
    throw new WorkerRefusal(
      400,
      `Unsupported transform.ref ${JSON.stringify(ref ?? null)}; this worker runs ${NOTEBOOK_CELL_REF}`,
    );
  }
  const envelope = parseField(pushEnvelope, raw);
  const inputs = new Map<string, PartInput>();
  for (const { name, format, file, injected } of envelope.inputs) {
    if (inputs.has(name))
      throw new WorkerRefusal(400, `metadata names the input ${JSON.stringify(name)} twice`);
    inputs.set(name, { contentType: format, file: file ?? null, injected: injected ?? {} });
  }
  return {
    buildId: envelope.build_id ?? null,
    params: checkedParams(envelope.transform.params),
    inputs: Object.fromEntries(inputs),
  };
}

/** Reads the `metadata` of POST /v1/notebook-execute. @throws WorkerRefusal 400 */
export function jobOfFlat(text: string | null): CellJob {
  const raw = metadataOf(text);
  checkVersion(Reflect.get(raw, 'protocol_version'), NOTEBOOK_CELL_PROTOCOL);
  const { build_id, inputs, ...params } = parseField(flatEnvelope, raw);
  return {
    buildId: build_id ?? null,
    params: checkedParams(params),
    inputs: Object.fromEntries(
      Object.entries(inputs).map(([name, { content_type, file, injected }]) => [
        name,
        { contentType: content_type, file: file ?? null, injected: injected ?? {} },
      ]),
    ),
  };
}

/**
 * Refuses mounts of the sender's disk, which do not exist here (docs/spec/worker-protocol.md, 3). @throws WorkerRefusal
 * 400
 */
export function checkedParams<T extends CellParams>(params: T): T {
  for (const { name, uri } of params.mounts) {
    if (/^file:/i.test(uri) || !/^[a-zA-Z][a-zA-Z0-9+.-]*:\/\//.test(uri)) {
      throw new WorkerRefusal(400, `Remote execution does not support file:// mount '${name}'`);
    }
  }
  return params;
}

/** The last component of a file name from the sender. @throws WorkerRefusal 400 if it is not valid */
export function plainFileName(name: string): string {
  const last = basename(name.replaceAll('\\', '/'));
  if (last === '' || last === '.' || last === '..' || last.includes('\0') || Buffer.byteLength(last) > 200) {
    throw new WorkerRefusal(400, `${JSON.stringify(name.slice(0, 200))} is no name for an input file`);
  }
  return last;
}

function metadataOf(text: string | null): object {
  if (text === null) throw new WorkerRefusal(400, 'The form has no metadata part');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new WorkerRefusal(400, 'metadata is not JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new WorkerRefusal(400, 'metadata is not a JSON object');
  }
  return value;
}

function checkVersion(version: unknown, expected: string): void {
  if (version === expected) return;
  throw new WorkerRefusal(
    400,
    `Unsupported protocol_version ${JSON.stringify(version ?? null)}; this worker speaks ${expected}`,
  );
}

/** Parses a value. @throws WorkerRefusal 400 that names the invalid field */
export function parseField<T extends z.ZodType>(shape: T, value: unknown, what = 'metadata'): z.infer<T> {
  const result = shape.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const where = issue?.path.join('.') ?? '';
  throw new WorkerRefusal(
    400,
    `Invalid ${what}: ${where === '' ? '' : `${where}: `}${issue?.message ?? 'not understood'}`,
  );
}
