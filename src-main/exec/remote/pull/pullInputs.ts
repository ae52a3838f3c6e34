/** Describes the inputs of a pull run to the worker, which fetches each of them by a signed URL. */

import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { HarnessInput, StoredInput } from '../../../../src-shared/wire/harness.ts';
import type { InjectedSpec } from '../../../../src-shared/wire/worker/pull.ts';
import { parseArtifactUri } from '../../../artifacts/uri.ts';
import type { BuildInput } from '../../../builds/build.ts';
import { plainName, refuseSweep } from '../push/inputParts.ts';

interface PulledInput {
  readonly uri: string;
  readonly content_type: string;
  readonly file?: string;
  readonly injected?: Record<string, InjectedSpec>;
}

/**
 * The inputs of a run as they are described to a worker that fetches each of them, and the files to serve. A stored
 * result keeps its URI in the notebook, so that code which depends on the URI has the same key on the worker. A value
 * without one (a downloaded file) gets a URI for this run (docs/spec/worker-protocol.md, 5.1, 5.2, 5.5). A value that
 * several inputs need is served once.
 * @throws RemoteFailure for a value that cannot be sent
 */
export async function pullInputs(
  notebookId: string,
  inputs: Readonly<Record<string, HarnessInput>>,
): Promise<{ readonly specs: Record<string, PulledInput>; readonly files: readonly BuildInput[] }> {
  const files = new Map<string, BuildInput>();
  const place = async (name: string, { uri, file }: StoredInput): Promise<string> => {
    await stat(file); // Fails for a missing file before anything is sent.
    const stored = uri === undefined ? null : parseArtifactUri(uri);
    if (stored !== null) {
      const existing = files.get(uriOf(stored.id, stored.version));
      if (existing === undefined || existing.path === file) {
        return add(files, { artifactId: stored.id, version: stored.version, path: file });
      }
    }
    const digest = createHash('sha256')
      .update(`\0${uri ?? `local:${file}`}\0${file}`)
      .digest('hex')
      .slice(0, 16);
    const artifactId = `nb_remote_input_${notebookId}_${digest}_${name}`;
    return add(files, { artifactId, version: 1, path: file });
  };
  const injectedOf = async (
    name: string,
    injected: Readonly<Record<string, StoredInput>>,
  ): Promise<Record<string, InjectedSpec>> => {
    const specs: Record<string, InjectedSpec> = {};
    for (const key of Object.keys(injected).sort()) {
      const value = injected[key];
      if (value === undefined) continue;
      const inner = value.injected === undefined ? null : await injectedOf(name, value.injected);
      specs[key] = {
        uri: await place(`${name}__inj__${key}`, value),
        content_type: value.content_type,
        ...(inner === null ? {} : { injected: inner }),
      };
    }
    return specs;
  };
  const specs: Record<string, PulledInput> = {};
  for (const [at, name] of Object.keys(inputs).sort().entries()) {
    const input = inputs[name];
    if (input === undefined) continue;
    if ('variants' in input) throw refuseSweep(name);
    const { content_type, file, injected } = input;
    specs[name] = {
      uri: await place(name, input),
      content_type,
      ...(content_type === 'file/path' ? { file: `__fetch_${at}_${plainName(basename(file))}` } : {}),
      ...(injected === undefined ? {} : { injected: await injectedOf(name, injected) }),
    };
  }
  return { specs, files: [...files.values()] };
}

function uriOf(artifactId: string, version: number): string {
  return `svc://artifact/${artifactId}@v=${version}`;
}

function add(files: Map<string, BuildInput>, input: BuildInput): string {
  const uri = uriOf(input.artifactId, input.version);
  files.set(uri, input);
  return uri;
}
