/** Downloads a large answer of the server without holding it in the page's memory. */

/** Bytes buffered in this page before they are moved to a Blob, which the browser keeps on disk. */
const PART = 8 * 1024 * 1024;

/** Reads a stream into one Blob and reports the number of bytes received; memory use does not grow with the size. */
export async function collectStream(
  stream: ReadableStream<Uint8Array>,
  type: string,
  onBytes: (bytes: number) => void,
): Promise<Blob> {
  const parts: Blob[] = [];
  let pending: BlobPart[] = [];
  let heldBytes = 0;
  let bytes = 0;
  const reader = stream.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    pending.push(new Uint8Array(next.value));
    heldBytes += next.value.length;
    bytes += next.value.length;
    onBytes(bytes);
    if (heldBytes < PART) continue;
    parts.push(new Blob(pending));
    pending = [];
    heldBytes = 0;
  }
  return new Blob([...parts, ...pending], { type });
}
