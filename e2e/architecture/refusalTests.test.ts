/** Checks that each documented refusal of POST /v1/materialize has a test. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { PROJECT_ROOT } from '../support/serverProcess.ts';

const SCANS = 'src-main/dataPlane/scans.test.ts';
const EXECUTORS = 'src-main/dataPlane/executors.test.ts';
const SETTINGS = 'src-main/dataPlane/planeSettings.test.ts';
const DAMAGED = 'src-main/dataPlane/damagedTables.test.ts';
const ROUTES = 'e2e/contract/dataPlane.test.ts';
const HANDLERS = 'src-main/server/routes/dataPlane.test.ts';

/** Every refusal of POST /v1/materialize (core-services 1), with a file and a text of its test. */
const REFUSALS: readonly (readonly [refusal: string, file: string, says: string])[] = [
  ['503 the server shuts down', SCANS, 'Server is shutting down. Not accepting new requests.'],
  ['503 before anything else', HANDLERS, 'a server that shuts down refuses before anything else'],
  ['400 no input', SCANS, "'no input'"],
  ['400 two inputs', SCANS, "'two inputs'"],
  ['400 an artifact', SCANS, "'an artifact'"],
  ['400 bad parameters', SCANS, "'an unknown parameter'"],
  ['400 a table URI without two parts', SCANS, "expected 'namespace.table' format"],
  ['400 a missing column', SCANS, "'an unknown column'"],
  ['400 too many row groups', SCANS, '400 The scan reads 5 row groups'],
  ['400 a warehouse in an object store', SCANS, "'a bucket without a catalog'"],
  ['400 transform_unknown', EXECUTORS, '400 transform_unknown'],
  ['400 transform_unknown by HTTP', ROUTES, "'an unknown executor'"],
  ['403 transform_not_allowed', EXECUTORS, '403 transform_not_allowed'],
  ['403 insufficient_scope', EXECUTORS, '403 insufficient_scope'],
  ['403 missing_scope', HANDLERS, 'a name requires the scope of writing'],
  ['404 a table', SCANS, "'an unknown table'"],
  ['404 a warehouse folder', SCANS, "'an unknown folder'"],
  ['404 a snapshot', SCANS, "'an unknown snapshot'"],
  ['413 too many bytes', SCANS, '413 The scan reads about'],
  ['422 too many deletes', SETTINGS, 'more deletes than the limit are refused with 422'],
  ['422 an unreadable manifest', DAMAGED, "'a manifest that is truncated'"],
  [
    '429 build admission, and the version failed',
    ROUTES,
    'a build refused because the day’s byte budget is used up is JSON with Retry-After',
  ],
  ['504 planning', SCANS, 'a catalog that does not answer ends the plan in time'],
  ['500 a missing file', DAMAGED, "'a file that is missing'"],
  ['500 a cut file', DAMAGED, "'a file that is truncated'"],
  ['500 an encrypted file', DAMAGED, "'an encrypted file'"],
  ['500 another schema', DAMAGED, "'a file with a column of another type'"],
  ['500 another number of rows', DAMAGED, "'a file with fewer rows than its manifest says'"],
  ['500 a warehouse that disappears', DAMAGED, 'a warehouse that disappears while it is read'],
];

it.each(REFUSALS)('[DP-108] %s has a test', (_refusal, file, says) => {
  expect(readFileSync(join(PROJECT_ROOT, file), 'utf8')).toContain(says);
});
