/** Describes the inputs of a push run to the worker, and adds their files to the form that is posted. */

import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { HarnessInput, StoredInput } from '../../../../src-shared/wire/harness.ts';
import type { InjectedPart } from '../../../../src-shared/wire/worker/envelope.ts';
import { extensionOf } from '../../../../src-shared/wire/worker/protocol.ts';
import type { FilePart } from '../../../lib/http/multipart.ts';
import { RemoteFailure } from '../call/remoteRequest.ts';

export interface SentInput {
  readonly name: string;
  readonly format: string;
  readonly uri: string | null;
  readonly byte_size: number;
  readonly file: string;
  readonly injected?: Record<string, InjectedPart>;
}

/**
 * The inputs of a run as they are described to a worker, by name, and the files sent with them
 * (docs/spec/worker-protocol.md, 3).
 * @throws RemoteFailure for a value that cannot be sent
 */
export async function inputParts(
  inputs: Readonly<Record<string, HarnessInput>>,
): Promise<{ readonly inputs: readonly SentInput[]; readonly files: readonly FilePart[] }> {
  const sentInputs: SentInput[] = [];
  const files: FilePart[] = [];
  for (const [at, name] of Object.keys(inputs).sort().entries()) {
    const input = inputs[name];
    if (input === undefined) continue;
    if ('variants' in input) throw refuseSweep(name);
    const file = nameOf(name, at, input);
    const { size } = await stat(input.file);
    files.push({ field: name, name: file, path: input.file, bytes: size });
    const injected = await injectedParts(input, at, files);
    sentInputs.push({
      name,
      format: input.content_type,
      uri: input.uri ?? null,
      byte_size: size,
      file,
      ...(injected === null ? {} : { injected }),
    });
  }
  return { inputs: sentInputs, files };
}

/** The failure of a cell that reads an input with one value per variant, which only Python cells support. */
export function refuseSweep(name: string): RemoteFailure {
  const message = `\`${name}\` has one value per variant. On workers, only Python cells can read such values. Add \`# @worker local\` to this cell.`;
  return new RemoteFailure(null, message);
}

function nameOf(name: string, at: number, { content_type, file }: StoredInput): string {
  if (content_type === 'file/path') return `__fetch_${at}_${plainName(basename(file))}`;
  return `${caseSafe(name)}${extensionOf(content_type)}`;
}

/** A name that is unique on file systems that ignore case (docs/spec/worker-protocol.md, 3). */
export function caseSafe(name: string): string {
  if (name === name.toLowerCase()) return name;
  return `${name}-${createHash('sha256').update(name).digest('hex').slice(0, 8)}`;
}

/** Replaces quotes and control characters, which would end the header with the file's name. */
export function plainName(name: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be in it
  return name.replace(/[\u0000-\u001f"\\/:*?<>|]/g, '_').slice(-150) || 'file';
}

/** The values that an input's code uses from its own cell, each in its own part; they can have such values too. */
async function injectedParts(
  { injected }: StoredInput,
  at: number,
  files: FilePart[],
): Promise<Record<string, InjectedPart> | null> {
  if (injected === undefined) return null;
  const parts: Record<string, InjectedPart> = {};
  for (const key of Object.keys(injected).sort()) {
    const value = injected[key];
    if (value === undefined) continue;
    const file = `__inj_${at}_${files.length}${extensionOf(value.content_type)}`;
    const { size } = await stat(value.file);
    files.push({ field: file, name: file, path: value.file, bytes: size });
    const inner = await injectedParts(value, at, files);
    parts[key] = {
      content_type: value.content_type,
      file,
      ...(value.uri === undefined ? {} : { uri: value.uri }),
      ...(inner === null ? {} : { injected: inner }),
    };
  }
  return parts;
}
