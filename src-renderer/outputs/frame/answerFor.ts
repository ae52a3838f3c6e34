import { knownAddress } from './knownAddresses.ts';
import { libraryFile } from './libraries.ts';

/** The file for an address, or null: then the output reports it as missing. */
export async function answerFor(address: string): Promise<Blob | null> {
  const known = knownAddress(address);
  if (known === null) return null;
  if (known === 'nothing') return new Blob([]);
  try {
    return await libraryFile(known);
  } catch (error) {
    console.error(`the copy of ${known} did not load`, error);
    return null;
  }
}
