/** Runs a cell on the worker that it fetches by signed URLs, and uploads the results. */

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { StoredInput } from '../../../src-shared/wire/harness.ts';
import { BUILD_MANIFEST_FORMAT } from '../../../src-shared/wire/worker/protocol.ts';
import {
  type InjectedSpec,
  type PullRequest,
  type PullResponse,
  pullRequest,
  type SignedInput,
} from '../../../src-shared/wire/worker/pull.ts';
import type { Slot } from '../admission.ts';
import { checkedParams, parseField, plainFileName } from '../cellJob.ts';
import type { Execution } from '../executions.ts';
import { WorkerRefusal } from '../refusal.ts';
import { type CellTools, runCell } from '../runCell.ts';
import type { RunFolder } from '../runFolder.ts';
import type { RegisteredRun } from '../runRegistry.ts';
import { ConsolePosts } from './consolePosts.ts';
import { download, finalize, type Transfer, upload } from './transfer.ts';
import type { UrlGuard } from './urlGuard.ts';

const MIN_IDLE_SECONDS = 30;

/** The build id of a pull request; null if it has none. */
export function buildIdOf({ build_id, metadata }: PullRequest): string | null {
  return build_id ?? metadata.build_id ?? null;
}

/** Reads a pull request and checks all its URLs. @throws WorkerRefusal 400 */
export async function readPull(body: string, guard: UrlGuard): Promise<PullRequest> {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    throw new WorkerRefusal(400, 'The body is not JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new WorkerRefusal(400, 'The body is not a JSON object');
  }
  const request = parseField(pullRequest, value, 'manifest');
  checkedParams(request.metadata.params);
  const signed = signedByUri(request.inputs);
  for (const [name, spec] of Object.entries(request.metadata.params.input_specs)) {
    for (const uri of urisOf(spec)) {
      if (!signed.has(uri))
        throw new WorkerRefusal(400, `No signed URL for the input ${JSON.stringify(name)} (${uri})`);
    }
  }
  const log = request.log_url ?? null;
  for (const { url } of request.inputs) await guard.check(url);
  if (log !== null) await guard.check(log);
  // The results of the run go here when it has ended, which may be hours later.
  for (const url of [request.output.url, request.finalize_url]) await guard.check(url, { isNeeded: true });
  return request;
}

/**
 * Downloads the inputs, runs the cell and uploads the bundle (docs/spec/worker-protocol.md, 5.1, 5.2). @throws
 * WorkerRefusal
 */
export async function runPull(
  tools: CellTools,
  {
    request,
    guard,
    ...run
  }: {
    readonly request: PullRequest;
    readonly guard: UrlGuard;
    readonly folder: RunFolder;
    readonly slot: Slot;
    readonly execution: Execution;
    readonly entry: Pick<RegisteredRun, 'onConsole' | 'bundled'>;
  },
): Promise<PullResponse> {
  const { params } = request.metadata;
  const { signal } = run.execution;
  const idleMs = Math.max(params.timeout_seconds, MIN_IDLE_SECONDS) * 1000;
  const transfer: Transfer = { guard, idleMs, signal };
  const inputs = await fetchInputs(tools, request, { transfer, ...run });
  const posts = typeof request.log_url === 'string' ? new ConsolePosts(guard, request.log_url) : null;
  const { max_bytes: maxBytes } = request.output;
  const bundle = await runCell(tools, {
    ...run,
    ...(typeof maxBytes === 'number' ? { maxBundleBytes: maxBytes } : {}),
    buildId: buildIdOf(request),
    params,
    inputs,
    onConsole: (text) => {
      run.entry.onConsole(text);
      posts?.push(text);
    },
  });
  run.entry.bundled(bundle);
  await posts?.drain();
  const { bytes: size } = bundle;
  if (typeof maxBytes === 'number' && size > maxBytes) {
    throw new WorkerRefusal(
      502,
      `Uploading the output bundle failed: it is ${size} bytes, at most ${maxBytes} are taken`,
    );
  }
  await upload(transfer, request.output, bundle);
  const answer = await finalize(transfer, request.finalize_url);
  return {
    success: true,
    build_id: buildIdOf(request) ?? '',
    byte_size: size,
    protocol_version: BUILD_MANIFEST_FORMAT,
    finalize: answer,
  };
}

function signedByUri(inputs: readonly SignedInput[]): ReadonlyMap<string, SignedInput> {
  return new Map(inputs.map((input) => [`svc://artifact/${input.artifact_id}@v=${input.version}`, input]));
}

function urisOf({
  uri,
  injected,
}: {
  readonly uri: string;
  readonly injected?: Readonly<Record<string, InjectedSpec>> | null | undefined;
}): readonly string[] {
  return [uri, ...Object.values(injected ?? {}).flatMap(urisOf)];
}

async function fetchInputs(
  { settings }: CellTools,
  request: PullRequest,
  {
    transfer,
    folder,
    execution,
  }: { readonly transfer: Transfer; readonly folder: RunFolder; readonly execution: Execution },
): Promise<Record<string, StoredInput>> {
  const signed = signedByUri(request.inputs);
  const paths = new Map<string, string>();
  const fetchFile = async (name: string, uri: string, fileName: string | null): Promise<string> => {
    const key = `${uri}\0${fileName ?? ''}`;
    const existing = paths.get(key);
    if (existing !== undefined) return existing;
    const dir = join(folder.inputs, String(paths.size));
    await mkdir(dir);
    const path = join(dir, fileName ?? 'value');
    paths.set(key, path);
    execution.check();
    const url = signed.get(uri)?.url ?? '';
    try {
      await download(transfer, { name, url, path, maxBytes: settings.maxInputBytes });
    } catch (error) {
      execution.check();
      throw error;
    }
    return path;
  };
  const injectedOf = async (
    name: string,
    injected: Readonly<Record<string, InjectedSpec>>,
  ): Promise<Record<string, StoredInput>> => {
    const result: Record<string, StoredInput> = {};
    for (const [key, spec] of Object.entries(injected)) {
      result[key] = {
        content_type: spec.content_type,
        file: await fetchFile(name, spec.uri, null),
        uri: spec.uri,
        ...(spec.injected === undefined ? {} : { injected: await injectedOf(name, spec.injected) }),
      };
    }
    return result;
  };
  const inputs: Record<string, StoredInput> = {};
  for (const [name, spec] of Object.entries(request.metadata.params.input_specs)) {
    const fileName = spec.content_type === 'file/path' ? plainFileName(spec.file ?? name) : null;
    const file = await fetchFile(name, spec.uri, fileName);
    const injected = await injectedOf(name, spec.injected ?? {});
    inputs[name] = {
      content_type: spec.content_type,
      file,
      uri: spec.uri,
      ...(Object.keys(injected).length === 0 ? {} : { injected }),
    };
  }
  return inputs;
}
