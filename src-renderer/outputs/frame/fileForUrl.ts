import { libraryFile } from './libraries.ts';
import { replacementFor } from './localReplacements.ts';

/**
 * The local file that replaces a URL that an output requests from the network; null if there is none, and the output
 * then reports the URL as missing.
 */
export async function fileForUrl(url: string): Promise<Blob | null> {
  const replacement = replacementFor(url);
  if (replacement === null) return null;
  if (replacement === 'nothing') return new Blob([]);
  try {
    return await libraryFile(replacement);
  } catch (error) {
    console.error(`the copy of ${replacement} did not load`, error);
    return null;
  }
}
