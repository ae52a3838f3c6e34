/**
 * Schemathesis, an external fuzzer, generates requests from /openapi.json, sends them to the built server and compares
 * the answers with that document.
 */

import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AiServer, startAiServer } from '../../src-main/ai/testing/aiStandIn.ts';
import {
  createTestIndex,
  indexSettings,
  type TestIndex,
} from '../../src-main/environment/testing/testIndex.ts';
import { makeClone } from '../support/cloneFolder.ts';
import { type OpenNotebook, openNotebook } from '../support/openNotebook.ts';
import { rest } from '../support/rest.ts';
import { type ServerProcess, startServerProcess } from '../support/serverProcess.ts';

const PYTHON = process.env['CELLAR_TEST_SCHEMATHESIS'] ?? '';
const IS_LONG = process.env['LONG'] === '1';
const SECONDS = IS_LONG ? 300 : 8;
const EXAMPLES = IS_LONG ? 40 : 1;
const SEED = IS_LONG ? String(Math.floor(Math.random() * 2 ** 31)) : '1';

const CELLS = [
  { id: 'python01', source: 'x = {"a": [1, 2.5, None]}\nx' },
  { id: 'looped01', source: '# @loop max_iter=2 carry=y\ny = 1' },
  { id: 'failing1', source: '1 / 0' },
];

/** Routes that would close or block the notebook of the other requests: these get unknown session ids. */
const ENDING: ReadonlySet<string> = new Set(['closeNotebook', 'deleteNotebook', 'quiesceNotebook']);

/** Routes that answer 503 if no model can be reached, such as after a request that changes the address of the model. */
const ASKING_MODEL = ['aiComplete', 'aiStream', 'aiSuggest', 'aiAgent'];
const SETTINGS = `
[checks.not_a_server_error]
expected-statuses = ["2xx", "3xx", "4xx"]

[[operations]]
include-operation-id = ${JSON.stringify(ASKING_MODEL)}
checks.not_a_server_error.expected-statuses = ["2xx", "3xx", "4xx", "503"]
`;

interface Operation {
  readonly operationId: string;
  readonly parameters: { name: string; schema: unknown }[];
  readonly requestBody?: { content: Record<string, unknown> };
}
type Document = { readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>> };

let root = '';
let server: ServerProcess;
let index: TestIndex;
let ai: AiServer;
let notebook: OpenNotebook;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cellar-schemathesis-'));
  ai = await startAiServer(() => ({ kind: 'text', text: 'An answer.' }));
  index = await createTestIndex();
  await index.wheel({ name: 'apple', version: '1.0' });
  // Examples are opened in place, and open notebooks may be deleted, so the checkout's own must not be used.
  const program = await makeClone(join(root, 'clone'));
  server = await startServerProcess({
    program,
    storageDir: join(root, 'storage'),
    env: {
      ...indexSettings(index),
      SVC_AI_BASE_URL: `${ai.origin}/v1`,
      SVC_AI_API_KEY: 'server-key-0123456789',
      SVC_AI_MODEL: 'small-1',
    },
  });
  notebook = await openNotebook(server, join(root, 'storage/tried'), CELLS);
  await notebook.execute('python01');
});
afterAll(async () => {
  await server.dispose();
  await index.close();
  await ai.close();
  await rm(root, { recursive: true, force: true });
});

/**
 * The document with the parameters of an open notebook, because invented ones would always be 404. Schemathesis cannot
 * make a tar or a table, so bodies of these types are any bytes.
 */
async function narrowed(): Promise<Document> {
  const { body } = await rest<Document>(server.url, 'GET', '/openapi.json');
  const known: Readonly<Record<string, readonly string[]>> = {
    sid: [notebook.sid],
    cell_id: CELLS.map(({ id }) => id),
    index: ['0', '-1', '7'],
  };
  for (const item of Object.values(body.paths)) {
    for (const { operationId, parameters, requestBody } of Object.values(item)) {
      for (const type of ['application/x-tar', 'application/vnd.apache.arrow.stream']) {
        const bytes = requestBody?.content[type];
        if (requestBody !== undefined && bytes !== undefined)
          requestBody.content = { 'application/octet-stream': bytes };
      }
      for (const parameter of parameters) {
        const values = ENDING.has(operationId) ? undefined : known[parameter.name];
        if (values !== undefined) parameter.schema = { enum: values };
      }
    }
  }
  return body;
}

function run(args: readonly string[]): Promise<{ readonly code: number | null; readonly said: string }> {
  return new Promise((resolve, reject) => {
    const program = join(dirname(PYTHON), process.platform === 'win32' ? 'schemathesis.exe' : 'schemathesis');
    const child = spawn(program, [...args], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const hear = (text: string): void => {
      output = (output + text).slice(-60_000);
    };
    child.stdout.setEncoding('utf8').on('data', hear);
    child.stderr.setEncoding('utf8').on('data', hear);
    child.once('error', reject);
    child.once('exit', (code) => resolve({ code, said: output }));
  });
}

// `npm test` installs Schemathesis; without it, as when this file is run alone, the test is skipped.
describe.skipIf(PYTHON === '')('[RE-64] Schemathesis', () => {
  it(
    'finds no 500, no undocumented status or content type, and no answer of an undocumented shape',
    async () => {
      const file = join(root, 'openapi.json');
      await writeFile(file, JSON.stringify(await narrowed()));
      // Schemathesis reads this file from its working directory.
      await writeFile(join(root, 'schemathesis.toml'), SETTINGS);
      const checks = [
        'not_a_server_error',
        'status_code_conformance',
        'content_type_conformance',
        'response_schema_conformance',
      ];
      const { code, said } = await run([
        ...['run', file, '--url', server.url, '--phases', 'coverage,fuzzing', '-w', '2'],
        ...['-n', String(EXAMPLES), '--max-time', String(SECONDS), '--seed', SEED, '--no-shrink'],
        ...['--checks', checks.join(','), '--suppress-health-check', 'all', '--continue-on-failure'],
        ...['--request-timeout', '30', '--warnings', 'off', '--no-color'],
      ]);
      expect(said, said).toMatch(/[1-9]\d* generated/);
      expect(code, said).toBe(0);
    },
    (SECONDS + 90) * 1_000,
  );
});
