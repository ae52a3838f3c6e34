/** Hooks that load the text of a stored output from the server, when its preview is incomplete. */

import { useEffect, useState } from 'react';
import type { Output } from '../../src-shared/wire/output.ts';
import { callRoute, RestError } from '../live/rest.ts';
import { figureKind } from './frame/figures.ts';

/** Where one display of a cell is stored. */
export interface OutputPlace {
  readonly sessionId: string;
  readonly cellId: string;
  readonly index: number;
}

export type BlobText =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'loading' | 'missing' };

/** The complete text of a display: its preview if that is complete, else the stored text from the server. */
export function useBlobText(output: Output, place: OutputPlace): BlobText {
  const whole = wholeText(output);
  const fetched = useStoredText(output, place, { wanted: whole === null });
  return whole === null ? fetched : { kind: 'text', text: whole };
}

/** The stored bytes of a display as text, requested once `wanted`. */
export function useStoredText(output: Output, place: OutputPlace, ask: { wanted: boolean }): BlobText {
  const [fetched, setFetched] = useState<BlobText>({ kind: 'loading' });
  const { sessionId, cellId, index } = place;
  const { wanted } = ask;
  const uri = output.artifact_uri;
  // A new artifact is a new text at the same URL.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `uri` is the version of the blob
  useEffect(() => {
    if (!wanted) return;
    const stop = new AbortController();
    setFetched({ kind: 'loading' });
    callRoute('outputBlob', { params: { sid: sessionId, cell_id: cellId, index } }, { signal: stop.signal })
      .then((blob) => blob.text())
      .then((text) => setFetched({ kind: 'text', text }))
      .catch((error: unknown) => {
        if (stop.signal.aborted) return;
        if (!(error instanceof RestError)) throw error;
        setFetched({ kind: 'missing' });
      });
    return () => stop.abort();
  }, [wanted, sessionId, cellId, index, uri]);
  return fetched;
}

/**
 * The preview if it is the complete text, else null. A preview may be cut; a complete one is as long as the stored
 * bytes.
 */
export function wholeText(output: Output): string | null {
  if (output.markdown_text !== null) return output.markdown_text;
  if (typeof output.preview !== 'string') return null;
  // The preview of a stored figure only describes it; a figure of a loop's iteration is complete.
  const describes = output.artifact_uri !== null && figureKind(output.content_type) !== null;
  if (describes && !output.preview.startsWith('{')) return null;
  const bytes = new TextEncoder().encode(output.preview).length;
  return output.artifact_uri === null || bytes >= output.bytes ? output.preview : null;
}
