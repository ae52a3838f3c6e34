/** Downloads environments that were built elsewhere from a registry, so that a worker need not build them. */

import { Readable } from 'node:stream';
import { type Relink, unpackArchive } from './unpackArchive.ts';

const FETCH_MS = 900_000;

/**
 * Fetches an environment into an empty folder.
 * @returns false if the registry has none (404)
 * @throws Error with a message for any other failure
 */
export async function fetchPrebuilt(
  url: string,
  options: { readonly dir: string; readonly relink: Relink; readonly signal: AbortSignal },
): Promise<boolean> {
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(FETCH_MS)]);
  const response = await fetch(url, { signal }).catch((error: unknown) => {
    throw new Error(`the registry could not be reached: ${causeOf(error)}`);
  });
  if (response.status === 404) {
    await response.body?.cancel();
    return false;
  }
  if (response.status !== 200 || response.body === null) {
    await response.body?.cancel();
    throw new Error(`the registry answered ${response.status} for ${new URL(url).pathname}`);
  }
  // The web stream and Node's differ only in their types.
  const body = Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0]);
  await unpackArchive(body, options).catch((error: unknown) => {
    throw new Error(`the registry's archive cannot be unpacked: ${causeOf(error)}`);
  });
  return true;
}

function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
