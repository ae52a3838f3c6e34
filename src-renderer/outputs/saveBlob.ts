import { saveFrom } from '../ui/saveFrom.ts';

/** Saves bytes as a download of the browser. */
export function saveBlob(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob);
  saveFrom(address, name);
  // By then the browser has started to read; the URL must not stay for the lifetime of the page.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
