import type { Config } from '../config/variables.ts';
import type { StorageOptions } from '../mount/credentials.ts';
import type { BucketPlace } from './openBlobStore.ts';

/**
 * The bucket whose signed URLs workers get for a build's files, if SVC_ARTIFACT_PRESIGNED_URLS is on and the store can
 * sign.
 * @returns `place` null if every URL is a route of the server; `why` if a bucket was requested and is not possible
 */
export function signingPlace(c: Config): { readonly place: BucketPlace | null; readonly why: string | null } {
  const none = (why: string | null) => ({ place: null, why });
  if (!c.artifactPresignedUrls) return none(null);
  const at = (scheme: BucketPlace['scheme'], container: string | null, prefix: string, options: object) => ({
    place: { scheme, container: container ?? '', prefix, options: given(options) },
    why: null,
  });
  switch (c.artifactBlobBackend) {
    case 'local':
      return none('SVC_ARTIFACT_BLOB_BACKEND is local, and files of this machine have no signed addresses');
    case 's3':
      if (c.s3Anonymous) return none('SVC_S3_ANONYMOUS has no key to sign with');
      return at('s3', c.artifactS3Bucket, c.artifactS3Prefix, {
        key: c.s3AccessKey,
        secret: c.s3SecretKey,
        region: c.s3Region,
        endpoint_url: c.s3EndpointUrl,
      });
    case 'gcs':
      if (c.gcsAnonymous) return none('SVC_GCS_ANONYMOUS has no key to sign with');
      return at('gs', c.artifactGcsBucket, c.artifactGcsPrefix, {
        token: c.gcsCredentialsJson,
        endpoint_url: c.gcsEndpointOverride,
        default_bucket_location: c.gcsDefaultBucketLocation,
      });
    case 'azure': {
      const hasKey = c.azureAccountName !== null && c.azureAccountKey !== null;
      if (!hasKey && !/AccountKey=/i.test(c.azureConnectionString ?? '')) {
        return none(
          'only an account key signs for Azure: SVC_AZURE_ACCOUNT_NAME and _KEY, or a SVC_AZURE_CONNECTION_STRING with one',
        );
      }
      return at('az', c.artifactAzureContainer, c.artifactAzurePrefix, {
        account_name: c.azureAccountName,
        account_key: c.azureAccountKey,
        connection_string: c.azureConnectionString,
        endpoint_url: c.azureEndpointUrl,
      });
    }
  }
}

function given(options: object): StorageOptions {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== null));
}
