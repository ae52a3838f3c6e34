/** The bytes of an output for saving and copying, from the page or from the server. */

import type { Output } from '../../src-shared/wire/output.ts';
import { callRoute } from '../live/rest.ts';
import { shortValue } from './jsonText.ts';
import type { OutputPlace } from './useBlobText.ts';
import { wholeText } from './useBlobText.ts';

/** The bytes to copy of an output: its text if it is shown as text, else its stored bytes. @throws RestError */
export async function copiedBytes(output: Output, place: OutputPlace): Promise<Blob> {
  if (output.text !== undefined) return new Blob([output.text], { type: 'text/plain' });
  return outputBytes(output, place);
}

/** The bytes of an output: from the output itself if it is complete, else from the server. @throws RestError */
export async function outputBytes(output: Output, place: OutputPlace): Promise<Blob> {
  const { sessionId, cellId, index } = place;
  if (output.inline_data_url !== null) return blobOfDataUrl(output.inline_data_url);
  const text = wholeText(output);
  if (text !== null) return new Blob([text], { type: 'text/plain' });
  if (output.artifact_uri === null) return new Blob([shortValue(output.preview)], { type: 'text/plain' });
  return callRoute('outputBlob', { params: { sid: sessionId, cell_id: cellId, index } });
}

/** Decodes a data URL here, because the page's policy allows `fetch` only from its server. */
function blobOfDataUrl(url: string): Blob {
  const comma = url.indexOf(',');
  const head = url.slice('data:'.length, comma);
  const type = head.split(';')[0] ?? '';
  const body = url.slice(comma + 1);
  if (!head.endsWith(';base64')) return new Blob([decodeURIComponent(body)], { type });
  return new Blob([Uint8Array.from(atob(body), (letter) => letter.charCodeAt(0))], { type });
}
