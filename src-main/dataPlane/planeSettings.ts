import type { Config } from '../config/variables.ts';
import type { CatalogProperties } from '../iceberg/catalog/openCatalog.ts';
import type { Warehouses } from '../iceberg/openTable.ts';
import type { StorageOptions } from '../mount/credentials.ts';

/** Converts the server's configuration to the catalogs and object stores that the data plane reads tables from. */
export function warehousesOf(c: Config): Warehouses {
  return {
    defaultCatalog: c.catalogName,
    // checkConfig has seen that each is an object.
    catalogs: { [c.catalogName]: c.catalogProperties, ...c.catalogs } as Record<string, CatalogProperties>,
    storage: {
      s3: given({
        key: c.s3AccessKey,
        secret: c.s3SecretKey,
        region: c.s3Region,
        endpoint_url: c.s3EndpointUrl,
        anon: c.s3Anonymous || null,
        connect_timeout: c.s3ConnectTimeoutSeconds,
        read_timeout: c.s3RequestTimeoutSeconds,
      }),
      gs: given({
        token: c.gcsCredentialsJson,
        endpoint_url: c.gcsEndpointOverride,
        anon: c.gcsAnonymous || null,
        default_bucket_location: c.gcsDefaultBucketLocation,
      }),
      az: given({
        account_name: c.azureAccountName,
        account_key: c.azureAccountKey,
        connection_string: c.azureConnectionString,
        sas_token: c.azureSasToken,
        endpoint_url: c.azureEndpointUrl,
        default_credential: c.azureUseDefaultCredential || null,
      }),
    },
  };
}

function given(options: Readonly<Record<string, unknown>>): StorageOptions {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== null));
}
