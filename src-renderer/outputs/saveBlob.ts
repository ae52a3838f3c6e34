import { saveFrom } from '../ui/saveFrom.ts';

/** Hands bytes to the browser as a download. */
export function saveBlob(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob);
  saveFrom(address, name);
  // The browser has begun to read by then; the address must not stay for the life of the page.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
