import { describe, expect, it, test } from 'vitest';
import { placeOf } from '../../src-shared/notebook/mountUri.ts';
import {
  type CredentialSources,
  type ResolvedOptions,
  storageOptionsOf,
  unsetVariablesText,
} from './credentials.ts';

const reference = (name: string) => `\${${name}}`;

const SOURCES: CredentialSources = {
  named: {
    lab: {
      key: 'id',
      secret: reference('LAB_SECRET'),
      client_kwargs: { region_name: `${reference('REGION')}-1` },
    },
    open: { anon: true },
    broken: 'text',
    unset: { key: reference('NOBODY'), secret: reference('NOT_EITHER') },
  },
  byScheme: { s3: 'lab', gcs: 'open', file: 7 },
  notebookEnv: () => ({ LAB_SECRET: 'from the notebook', REGION: '' }),
  serverEnv: { LAB_SECRET: 'from the server', REGION: 'eu' },
};

const LAB = { key: 'id', secret: 'from the notebook', client_kwargs: { region_name: 'eu-1' } };

const CASES: readonly (readonly [
  what: string,
  uri: string,
  credential: string | null,
  options: Record<string, unknown>,
  expected: ResolvedOptions,
])[] = [
  ['the one it names', 'gs://b', 'lab', {}, { options: LAB }],
  ['that of its scheme', 's3://b', null, {}, { options: LAB }],
  ['that of its scheme by another spelling', 'gs://b', null, {}, { options: { anon: true } }],
  ['none', 'az://b', null, { anon: true }, { options: { anon: true } }],
  ['a scheme that names nothing', 'file:///d', null, {}, { options: {} }],
  [
    'its own options win',
    's3://b',
    'open',
    { anon: false, endpoint_url: 'x' },
    { options: { anon: false, endpoint_url: 'x' } },
  ],
  [
    'an undefined credential',
    's3://b',
    'gone',
    {},
    { problem: 'This server defines no credential "gone" (SVC_NOTEBOOK_CREDENTIALS).' },
  ],
  [
    'a credential that is not an object',
    's3://b',
    'broken',
    {},
    { problem: 'This server defines no credential "broken" (SVC_NOTEBOOK_CREDENTIALS).' },
  ],
  [
    'an undefined credential named like an Object property',
    's3://b',
    'constructor',
    {},
    { problem: 'This server defines no credential "constructor" (SVC_NOTEBOOK_CREDENTIALS).' },
  ],
  [
    'one with unset references',
    's3://b',
    'unset',
    {},
    {
      problem: `The credential "unset" needs NOBODY, NOT_EITHER, ${unsetVariablesText(new Set(['NOBODY', 'NOT_EITHER']))}`,
    },
  ],
];

describe('the credentials of a mount', () => {
  test.each(CASES)('[MT-11] %s', (_what, uri, credential, options, expected) => {
    expect(storageOptionsOf({ credential, options }, placeOf(uri), SOURCES)).toEqual(expected);
  });

  it('[MT-11] a server without credentials', () => {
    const none = { ...SOURCES, named: null, byScheme: null };
    expect(storageOptionsOf({ credential: null, options: {} }, placeOf('s3://b'), none)).toEqual({
      options: {},
    });
  });
});
