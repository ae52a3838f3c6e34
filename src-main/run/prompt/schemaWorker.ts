/**
 * Entry point of the JSON validation thread, which validates one value: it reports that it has started, then
 * the faults of the value.
 */

import { parentPort, workerData } from 'node:worker_threads';
import type { SchemaCheck } from './schemaThread.ts';
import { compileSchema, type SchemaFault } from './schemaValidator.ts';

const { schema, value, most } = workerData as SchemaCheck; // our own program's
const check = compileSchema(schema);
parentPort?.postMessage('started');
const faults = typeof check === 'string' ? [] : check(value);
parentPort?.postMessage(
  faults
    .slice(0, most)
    .map(
      ({ instancePath, message = 'is wrong', params }): SchemaFault => ({ instancePath, message, params }),
    ),
);
