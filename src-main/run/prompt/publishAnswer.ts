/** Stores a model's reply as the result of a prompt cell: its variable, its display and a line about tokens. */

import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { HarnessResult, OutputMeta } from '../../../src-shared/wire/harness.ts';
import type { ArtifactStore } from '../../artifacts/artifact.ts';
import { writeOver } from '../../lib/guardedFolder/replace.ts';
import { SESSION_KEY_PARAM } from '../cache.ts';
import { publishRun } from '../publish.ts';
import type { PromptStep, StepOutcome } from '../step.ts';
import { failedStep } from '../stepFailure.ts';
import type { Answer, Usage } from './converse.ts';
import type { PromptSettings } from './promptFacts.ts';

/** Maximum length of a reply's preview, in characters (docs/spec/values.md, 2). */
const PREVIEW_TEXT = 4_000;
const PREVIEW_JSON = 500;
/** A display's preview is sent in frames; larger JSON is loaded on demand. */
const INLINE_JSON = 32_000;

interface AnswerToKeep {
  readonly answer: Answer;
  readonly settings: PromptSettings;
  readonly provider: string;
  readonly key: string;
  readonly name: string;
  readonly outputDir: string;
  readonly runId: string;
  readonly console: { readonly stdout: string; readonly stderr: string };
  readonly durationMs: number;
}

type Ran =
  | Omit<Extract<StepOutcome, { kind: 'ran' }>, 'durationMs'>
  | Omit<Extract<StepOutcome, { kind: 'failed' }>, 'durationMs'>;

/**
 * Stores a reply under its own key: as the cell's variable, whether or not a cell reads it (requesting again
 * costs money), and as its display.
 */
export async function publishAnswer(
  store: ArtifactStore,
  request: PromptStep,
  reply: AnswerToKeep,
): Promise<Ran> {
  const { answer, settings, name, outputDir, console } = reply;
  const variable = await fileOf(outputDir, 'answer.json', 'json/object', answer.json);
  const display = await displayOf(reply);
  const preview =
    settings.output === 'text' ? cut(answer.text, PREVIEW_TEXT) : cut(answer.json, PREVIEW_JSON);
  const result: HarnessResult = {
    success: true,
    variables: { [name]: { ...variable, preview } },
    displays: [display],
    mutation_warnings: [],
    build_env: '',
  };
  const outcome = await publishRun(store, {
    request: { ...request, provenanceHash: reply.key, leaves: 'all' },
    result,
    outputDir,
    console,
    runId: reply.runId,
    durationMs: reply.durationMs,
    versions: {},
    params: { ...paramsOf(reply), [SESSION_KEY_PARAM]: request.provenanceHash },
    shown: {
      usage: {
        model: settings.model,
        input_tokens: answer.usage.inputTokens,
        output_tokens: answer.usage.outputTokens,
        validation_retries: answer.usage.validationRetries,
      },
    },
  });
  if (outcome.kind === 'missing') return { ...failedStep(outcome.message, null), ...console };
  const { published } = outcome;
  return {
    kind: 'ran',
    published: published.rows,
    outputs: published.outputs,
    displays: published.displays,
    ...console,
    method: 'llm',
    mutationWarnings: [],
    logRun: reply.runId,
  };
}

function paramsOf({ answer, settings, provider, key }: AnswerToKeep): Record<string, string> {
  const { inputTokens, outputTokens, validationRetries } = answer.usage;
  const total =
    inputTokens === null && outputTokens === null ? null : (inputTokens ?? 0) + (outputTokens ?? 0);
  return {
    executor: 'prompt',
    prompt_key: key,
    model: settings.model,
    provider,
    ...(inputTokens === null ? {} : { input_tokens: String(inputTokens) }),
    ...(outputTokens === null ? {} : { output_tokens: String(outputTokens) }),
    ...(total === null ? {} : { total_tokens: String(total) }),
    validation_retries: String(validationRetries),
  };
}

/** Text is shown as Markdown, which models usually write; JSON as a tree. */
async function displayOf({ answer, settings, outputDir }: AnswerToKeep): Promise<OutputMeta> {
  if (settings.output === 'text') {
    const meta = await fileOf(outputDir, 'display.md', 'text/markdown', answer.text);
    return { ...meta, preview: cut(answer.text, PREVIEW_TEXT) };
  }
  const meta = await fileOf(outputDir, 'display.json', 'json/object', answer.json);
  return answer.json.length <= INLINE_JSON
    ? { ...meta, preview: JSON.parse(answer.json) as unknown }
    : { ...meta, preview: cut(answer.json, PREVIEW_JSON), preview_truncated: true };
}

async function fileOf(
  outputDir: string,
  file: string,
  contentType: string,
  text: string,
): Promise<Omit<OutputMeta, 'preview'>> {
  const bytes = Buffer.from(text);
  await writeOver(join(outputDir, file), bytes);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { content_type: contentType, file, bytes: bytes.byteLength, sha256 };
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}

/** The line on stderr with the model and the usage. */
export function usageMessage(model: string, { inputTokens, outputTokens, validationRetries }: Usage): string {
  const counts =
    inputTokens === null && outputTokens === null
      ? 'the provider counts no tokens'
      : `${inputTokens ?? '?'} tokens in, ${outputTokens ?? '?'} out`;
  const retries =
    validationRetries === 0 ? '' : `, ${validationRetries} ${validationRetries === 1 ? 'retry' : 'retries'}`;
  return `${model}: ${counts}${retries}`;
}
