/** Converts the displays of a cell between their stored and their wire form. */

import { readFile } from 'node:fs/promises';
import type { OutputMeta } from '../../src-shared/wire/harness.ts';
import { type Output, output } from '../../src-shared/wire/output.ts';

/** Larger images are sent by the blob route instead of inside frames. */
const INLINE_IMAGE_BYTES = 2 * 1024 * 1024;

/**
 * The wire form of a display whose bytes are stored (docs/spec/rest-notebooks.md, 2.2); bytes are filled in by
 * `withInlineBytes`.
 */
export function outputOf(meta: OutputMeta, artifactUri: string | null): Output {
  return {
    content_type: meta.content_type,
    rows: meta.rows ?? null,
    columns: meta.columns ?? null,
    bytes: meta.bytes,
    artifact_uri: artifactUri,
    preview: meta.preview ?? null,
    inline_data_url: null,
    markdown_text: null,
    width: meta.width ?? null,
    height: meta.height ?? null,
    error: null,
    ...(meta.preview_truncated === undefined ? {} : { preview_truncated: true }),
    ...(meta.text === undefined ? {} : { text: meta.text }),
    ...(meta.lacks === undefined ? {} : { lacks: meta.lacks }),
  };
}

const NO_OUTPUT: Omit<Output, 'content_type'> = {
  rows: null,
  columns: null,
  bytes: 0,
  artifact_uri: null,
  preview: null,
  inline_data_url: null,
  markdown_text: null,
  width: null,
  height: null,
  error: null,
};

/** A recorded display as it is read: a program may omit fields it does not know (docs/spec/values.md, 2). */
export function readRecorded(recorded: unknown): Output | null {
  if (typeof recorded !== 'object' || recorded === null) return null;
  const parsed = output.safeParse({ ...NO_OUTPUT, ...recorded });
  return parsed.success ? withoutFile(parsed.data) : null;
}

/** A display that could not be made: an error message in its place. */
export function failedOutput(error: string): Output {
  return { ...NO_OUTPUT, content_type: 'error', error };
}

/** Images and Markdown contain their bytes on the wire; every other type is fetched on demand. */
export async function withInlineBytes(output: Output, file: string): Promise<Output> {
  if (output.content_type === 'image/png' && output.bytes <= INLINE_IMAGE_BYTES) {
    const bytes = await readFile(file);
    return { ...output, inline_data_url: `data:image/png;base64,${bytes.toString('base64')}` };
  }
  if (output.content_type === 'text/markdown' && output.bytes <= INLINE_IMAGE_BYTES) {
    return { ...output, markdown_text: await readFile(file, 'utf8') };
  }
  return output;
}

/** The record of a display: everything but the bytes, which are in its artifact (docs/spec/values.md, 2). */
export function recordedOutput(output: Output): Output {
  return { ...withoutFile(output), inline_data_url: null, markdown_text: null };
}

/** A display as a cell shows it later: without the file, which is deleted with its run. */
export function withoutFile({ file: _gone, ...output }: Output): Output {
  return output;
}
