/** Parses the locations of an Iceberg table's files: paths, and URIs of object stores. */

import { IcebergError } from '../icebergError.ts';

/** The location of a file or folder of a table. */
export type Location =
  | { readonly kind: 'local'; readonly path: string }
  | {
      readonly kind: 'object';
      readonly scheme: 's3' | 'gs' | 'az';
      readonly container: string;
      readonly key: string;
    };

const SCHEMES: Readonly<Record<string, 's3' | 'gs' | 'az'>> = {
  s3: 's3',
  s3a: 's3',
  s3n: 's3',
  gs: 'gs',
  gcs: 'gs',
  az: 'az',
  azure: 'az',
  abfs: 'az',
  abfss: 'az',
  wasb: 'az',
  wasbs: 'az',
};
const URI = /^([A-Za-z][A-Za-z0-9+.-]*):\/\/([^/]*)(\/[\s\S]*)?$/;

/**
 * Parses a location in the form of Iceberg's libraries: a path, or a URI whose path is not percent-encoded.
 * @throws IcebergError for an unknown scheme
 */
export function parseLocation(text: string): Location {
  if (text.startsWith('/')) return { kind: 'local', path: text };
  // Java writes file:/path.
  const single = /^file:(\/(?!\/)[\s\S]*)$/.exec(text);
  if (single !== null) return { kind: 'local', path: single[1] ?? '/' };
  const [, scheme = '', host = '', path = ''] = URI.exec(text) ?? [];
  if (scheme === 'file' && (host === '' || host === 'localhost') && path !== '')
    return { kind: 'local', path };
  const store = Object.hasOwn(SCHEMES, scheme) ? SCHEMES[scheme] : undefined;
  if (store !== undefined && host !== '') {
    // Azure's URIs have the container before the account's host.
    const container = store === 'az' ? (host.split('@')[0] ?? host) : host;
    return { kind: 'object', scheme: store, container, key: path.slice(1) };
  }
  throw new IcebergError(
    'invalid_request',
    `The location ${text} has no scheme that is supported. Use a path, or file, s3, gs, az or abfs.`,
  );
}
