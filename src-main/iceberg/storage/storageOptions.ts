/** Combines the options of object stores from the server's settings and from an Iceberg catalog. */

import type { StorageOptions } from '../../mount/credentials.ts';

type Properties = Readonly<Record<string, unknown>>;

/** Names of catalog properties in pyiceberg, and the corresponding options of the object store clients. */
const NAMES: Readonly<Record<'s3' | 'gs' | 'az', readonly (readonly [string, string])[]>> = {
  s3: [
    ['s3.endpoint', 'endpoint_url'],
    ['client.access-key-id', 'key'],
    ['s3.access-key-id', 'key'],
    ['client.secret-access-key', 'secret'],
    ['s3.secret-access-key', 'secret'],
    ['client.session-token', 'token'],
    ['s3.session-token', 'token'],
    ['client.region', 'region'],
    ['s3.region', 'region'],
    ['client.profile-name', 'profile'],
    ['s3.profile-name', 'profile'],
    ['s3.anonymous', 'anon'],
  ],
  gs: [
    ['gcs.service.host', 'endpoint_url'],
    ['gcs.endpoint', 'endpoint_url'],
    ['gcs.project-id', 'project'],
    ['gcs.anonymous', 'anon'],
  ],
  az: [
    ['adls.account-name', 'account_name'],
    ['adls.account-key', 'account_key'],
    ['adls.sas-token', 'sas_token'],
    ['adls.connection-string', 'connection_string'],
  ],
};

/**
 * Options for opening object stores: the server's settings, overridden by those of the catalog.
 * @param base the server's options of each store
 */
export function storageOptions(
  properties: Properties,
  base: Readonly<Record<'s3' | 'gs' | 'az', StorageOptions>>,
): Readonly<Record<'s3' | 'gs' | 'az', StorageOptions>> {
  const of = (scheme: 's3' | 'gs' | 'az'): StorageOptions => {
    const options: Record<string, unknown> = { ...base[scheme] };
    for (const [property, option] of NAMES[scheme]) {
      const value = properties[property];
      if (value !== undefined && value !== null && value !== '') options[option] = value;
    }
    return options;
  };
  return { s3: of('s3'), gs: of('gs'), az: of('az') };
}
