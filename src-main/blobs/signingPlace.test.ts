import { expect, it } from 'vitest';
import { loadConfig } from '../config/loadConfig.ts';
import { signingPlace } from './signingPlace.ts';

const ON = { SVC_ARTIFACT_PRESIGNED_URLS: 'true' };
const S3 = { SVC_ARTIFACT_BLOB_BACKEND: 's3', SVC_ARTIFACT_S3_BUCKET: 'b' };
const GCS = { SVC_ARTIFACT_BLOB_BACKEND: 'gcs', SVC_ARTIFACT_GCS_BUCKET: 'b' };
const AZURE = { SVC_ARTIFACT_BLOB_BACKEND: 'azure', SVC_ARTIFACT_AZURE_CONTAINER: 'b' };

it.each([
  ['off, whatever is configured', S3, null, null],
  ['on without a bucket', ON, null, /files of this machine/],
  [
    'S3',
    { ...ON, ...S3, SVC_S3_REGION: 'eu', AWS_ACCESS_KEY_ID: 'k', AWS_SECRET_ACCESS_KEY: 's' },
    { scheme: 's3', container: 'b', prefix: 'artifacts', options: { key: 'k', secret: 's', region: 'eu' } },
    null,
  ],
  ['S3 without a key', { ...ON, ...S3, SVC_S3_ANONYMOUS: 'true' }, null, /SVC_S3_ANONYMOUS/],
  [
    'Google',
    { ...ON, ...GCS, SVC_ARTIFACT_GCS_PREFIX: 'p', SVC_GCS_CREDENTIALS_JSON: '/key.json' },
    { scheme: 'gs', container: 'b', prefix: 'p', options: { token: '/key.json' } },
    null,
  ],
  ['Google without a key', { ...ON, ...GCS, SVC_GCS_ANONYMOUS: 'true' }, null, /SVC_GCS_ANONYMOUS/],
  [
    'Azure',
    { ...ON, ...AZURE, SVC_AZURE_ACCOUNT_NAME: 'a', SVC_AZURE_ACCOUNT_KEY: 'k' },
    { scheme: 'az', container: 'b', prefix: 'artifacts', options: { account_name: 'a', account_key: 'k' } },
    null,
  ],
  ['Azure with a token', { ...ON, ...AZURE, SVC_AZURE_SAS_TOKEN: 'sv=1' }, null, /account key/],
  [
    'Azure with a complete connection string',
    { ...ON, ...AZURE, SVC_AZURE_CONNECTION_STRING: 'AccountName=a;AccountKey=k' },
    { scheme: 'az', options: { connection_string: 'AccountName=a;AccountKey=k' } },
    null,
  ],
])('[BU-15] addresses of a bucket: %s', (_name, env, place, why) => {
  const answer = signingPlace(loadConfig({ cwd: '/', env }));
  if (place === null) expect(answer.place).toBeNull();
  else expect(answer.place).toMatchObject(place);
  if (why === null) expect(answer.why).toBeNull();
  else expect(answer.why).toMatch(why);
});
