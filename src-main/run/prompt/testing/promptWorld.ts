/**
 * For tests of prompt runs: a store, a fake executor and a fake model, and helpers that make requests and read
 * outcomes.
 */

import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { artifactIdOf } from '../../../../src-shared/notebook/artifactIds.ts';
import { cellId } from '../../../../src-shared/notebook/ids.ts';
import type { AiChoice } from '../../../ai/aiSettings.ts';
import { type AiReply, type AiServer, startAiServer } from '../../../ai/testing/aiStandIn.ts';
import type { ArtifactRow, ArtifactStore } from '../../../artifacts/artifact.ts';
import { openStore } from '../../../artifacts/store.ts';
import { createFakeExecutor } from '../../../exec/testing/fakeExecutor.ts';
import { createFakeData } from '../../../mount/testing/fakeData.ts';
import { notebookFolder } from '../../../notebook/folder/notebookFolder.ts';
import { createConsoleLogs } from '../../../notebook/stored/consoleLogs.ts';
import type { PromptStep, StepInput, StepOutcome } from '../../step.ts';
import { NO_LANGUAGES } from '../../stepTools.ts';
import { plainPrompt } from '../../testing/testStep.ts';
import type { PromptDelta } from '../deltaFeed.ts';
import { promptStep } from '../promptStep.ts';

let root = notebookFolder('');
let store: ArtifactStore;
export let server: AiServer;
export const executor = createFakeExecutor();
const background: Promise<unknown>[] = [];
let count = 0;

/** A store and a fake model for the tests of one file. */
export function withPromptWorld(): void {
  beforeAll(async () => {
    root = notebookFolder(await mkdtemp(join(tmpdir(), 'prompt-step-')));
    store = await openStore(join(root, 'artifacts'));
  });
  afterAll(async () => {
    await Promise.all(background);
    await executor.close();
    await store.close();
    await rm(root, { recursive: true, force: true });
  });
  afterEach(() => server?.close());
}

export function choice(path = '/v1', changes: Partial<AiChoice['settings']> = {}): AiChoice {
  const baseUrl = `${server.origin}${path}`;
  const provider = path.includes('anthropic') ? 'anthropic' : path.includes('openai') ? 'openai' : 'local';
  const settings = {
    provider,
    baseUrl,
    model: 'm-1',
    maxOutputTokens: 100,
    timeoutSeconds: 20,
    ...changes,
  } as const;
  return { settings, apiKey: 'key-of-the-test', hint: 'Put a key somewhere.' };
}

/** A new cell for each call, so that none answers for another. */
export function request(source: string, changes: Partial<PromptStep> = {}): PromptStep {
  count += 1;
  return plainPrompt({
    notebookDir: root,
    cellId: cellId(`p${count}`),
    cellName: 'p',
    source,
    contentKey: `content of ${source}`,
    defines: ['result'],
    consumed: ['result'],
    timeoutSeconds: 60,
    ai: choice(),
    ...changes,
  });
}

interface Ran {
  readonly outcome: StepOutcome;
  readonly deltas: readonly PromptDelta[];
}

export async function run(step: PromptStep, signal = new AbortController().signal): Promise<Ran> {
  const deltas: PromptDelta[] = [];
  const tools = {
    store,
    executor,
    scratchDir: root,
    logs: createConsoleLogs(root, { maxBytes: 1 << 20, longerThan: 100 }),
    inBackground: (work: Promise<unknown>) => void background.push(work),
    data: createFakeData(),
    languages: NO_LANGUAGES,
  };
  const outcome = await promptStep(tools, step, {
    signal,
    onConsole: () => undefined,
    onDelta: (delta) => deltas.push(delta),
    runId: randomUUID(),
  });
  return { outcome, deltas };
}

export async function open(...replies: readonly AiReply[]): Promise<void> {
  server = await startAiServer();
  server.next(...replies);
}

export async function input(variable: string, json: string): Promise<StepInput> {
  const [row] = await store.publish([
    {
      id: artifactIdOf('n', `in${variable}`, variable),
      provenanceHash: json,
      contentKey: null,
      contentType: 'json/object',
      params: {},
      inputVersions: {},
      rowCount: null,
      schemaJson: null,
      blob: { bytes: Buffer.from(json) },
    },
  ]);
  return { variable, producerId: cellId('up'), row: row ?? null, variant: null, perRun: false };
}

export async function storedText(outcome: StepOutcome, name = 'result'): Promise<string> {
  if (outcome.kind !== 'ran') throw new Error(`the cell ${outcome.kind}: ${JSON.stringify(outcome)}`);
  const row = outcome.published.find(({ id }) => id.endsWith(`_var_${name}`));
  const readable = row === undefined ? null : await store.readable(row);
  if (readable?.kind !== 'ok') throw new Error('no value was kept');
  return readFile(readable.path, 'utf8');
}

export function consoleText(outcome: StepOutcome): string {
  return outcome.kind === 'failed' ? outcome.error : `not failed: ${outcome.kind}`;
}

/** The session's stored versions of a cell after this run, newest first. */
export function storedVersions(
  outcome: StepOutcome,
  before: PromptStep['stored'] = {},
): PromptStep['stored'] {
  const rows = outcome.kind === 'ran' ? outcome.published : outcome.kind === 'hit' ? outcome.promoted : [];
  const stored: Record<string, readonly ArtifactRow[]> = { ...before };
  for (const row of rows) {
    const label = row.id.slice(row.id.indexOf('_var_') + '_var_'.length);
    stored[label] = [row, ...(stored[label] ?? [])];
  }
  return stored;
}

export const text = (words: string): AiReply => ({ kind: 'text', text: words });
