import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { StoredInput } from '../../src-shared/wire/harness.ts';
import type { InjectedPart } from '../../src-shared/wire/worker/envelope.ts';
import { type CellJob, plainFileName } from './cellJob.ts';
import type { Form, FormPart } from './readForm.ts';
import { WorkerRefusal } from './refusal.ts';

/**
 * The inputs of a push run for the harness manifest: each descriptor's part of the form, looked up by the input's name
 * or else by its file (docs/spec/worker-protocol.md, 3.1).
 * @throws WorkerRefusal 400 for a missing part
 */
export async function pushInputs(
  job: CellJob,
  form: Form,
  dir: string,
): Promise<Record<string, StoredInput>> {
  const byField = new Map<string, FormPart>();
  const byFile = new Map<string, FormPart>();
  for (const part of form.parts) {
    byField.set(part.field, part);
    if (part.fileName !== null) byFile.set(part.fileName, part);
  }
  const partOf = (name: string | null, file: string | null): FormPart => {
    const part =
      (name === null ? undefined : byField.get(name)) ??
      (file === null ? undefined : (byField.get(file) ?? byFile.get(file)));
    if (part !== undefined) return part;
    throw new WorkerRefusal(400, `The form has no part for the input ${JSON.stringify(name ?? file)}`);
  };
  const injectedOf = (injected: Readonly<Record<string, InjectedPart>>): Record<string, StoredInput> =>
    Object.fromEntries(
      Object.entries(injected).map(([key, part]) => [
        key,
        {
          content_type: part.content_type,
          file: partOf(null, part.file).path,
          ...(part.uri === undefined ? {} : { uri: part.uri }),
          ...(part.injected === undefined ? {} : { injected: injectedOf(part.injected) }),
        },
      ]),
    );
  const inputs: Record<string, StoredInput> = {};
  for (const [name, { contentType, file, injected }] of Object.entries(job.inputs)) {
    const fileName = file === null ? null : plainFileName(file);
    const part = partOf(name, file);
    const isFile = contentType === 'file/path';
    const path = isFile ? await renamed(part, fileName ?? plainFileName(name), dir) : part.path;
    inputs[name] = {
      content_type: contentType,
      file: path,
      ...(Object.keys(injected).length === 0 ? {} : { injected: injectedOf(injected) }),
    };
  }
  return inputs;
}

/** Gives the file its original name, because the cell gets its path. */
async function renamed(part: FormPart, fileName: string, dir: string): Promise<string> {
  const folder = join(dir, `${part.path.split(/[/\\]/).at(-1)}-file`);
  await mkdir(folder);
  const path = join(folder, fileName.replace(/^__fetch_\d+_/, ''));
  await rename(part.path, path);
  return path;
}
