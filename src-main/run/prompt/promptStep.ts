/** Runs a prompt cell as one step of a run: from a stored reply if possible, else by a request to the model. */

import { join } from 'node:path';
import { parseAnnotations } from '../../../src-shared/notebook/annotations.ts';
import type { AiSettings } from '../../ai/aiSettings.ts';
import { openModel, type Question } from '../../ai/askModel.ts';
import { ChatError } from '../../ai/chat.ts';
import { StoreError } from '../../artifacts/artifact.ts';
import { parseTemplate, promptBody, promptVariable } from '../../language/prompt/template.ts';
import { makeScratch, removeScratch } from '../scratchFolder.ts';
import { readDigest } from '../shared/pinned.ts';
import type { PromptStep, StepOutcome } from '../step.ts';
import { failedStep } from '../stepFailure.ts';
import { lostInput, readableInputs } from '../stepInputs.ts';
import type { LanguageStep, StepOptions, StepTools } from '../stepTools.ts';
import { findTeamResult } from '../team/findTeamResult.ts';
import { publishToTeam } from '../team/publishToTeam.ts';
import { answerPrompt } from './answerPrompt.ts';
import { converse } from './converse.ts';
import { createDeltaFeed } from './deltaFeed.ts';
import { type PromptSettings, promptSettings } from './promptFacts.ts';
import { promptKey } from './promptKey.ts';
import { promptSharing } from './promptSharing.ts';
import { publishAnswer, usageMessage } from './publishAnswer.ts';
import { pythonTexts } from './pythonTexts.ts';
import { type AnswerReader, answerReader } from './readAnswer.ts';
import { renderPrompt } from './renderPrompt.ts';

/**
 * Runs a prompt cell (docs/spec/prompts-and-ai.md, 1): renders values into the template, returns the stored reply to
 * exactly that request if there is one, else requests, validates and stores one. Cancelling ends the request
 * at once.
 */
export const promptStep: LanguageStep<'prompt'> = async (tools, request, options) => {
  const startedAt = performance.now();
  const timed = <T>(outcome: T): T & { readonly durationMs: number } => ({
    ...outcome,
    durationMs: performance.now() - startedAt,
  });
  const stored = await answerPrompt(tools.store, request, null);
  if (stored !== null) return timed(stored);
  const outputDir = join(tools.scratchDir, `run-${options.runId}`);
  makeScratch(outputDir);
  const stderr: string[] = [];
  const say = (line: string): void => {
    stderr.push(`${line}\n`);
    options.onConsole({ stream: 'stderr', text: `${line}\n` });
  };
  try {
    return timed(await ask(tools, request, { ...options, outputDir, say, stderr }));
  } catch (error) {
    const printed = { stdout: '', stderr: stderr.join('') };
    if (options.signal.aborted) return timed({ kind: 'cancelled', ...printed });
    if (!(error instanceof ChatError)) throw error;
    return timed({ ...failedStep(error.message, null), suggestInstall: null, ...printed });
  } finally {
    tools.inBackground(removeScratch(outputDir));
  }
};

interface Run extends StepOptions {
  readonly outputDir: string;
  /** Prints a line on the cell's stderr. */
  readonly say: (line: string) => void;
  readonly stderr: readonly string[];
}

type UntimedOutcome = StepOutcome extends infer O
  ? O extends StepOutcome
    ? Omit<O, 'durationMs'>
    : never
  : never;

async function ask(tools: StepTools, request: PromptStep, run: Run): Promise<UntimedOutcome> {
  const annotations = parseAnnotations(request.source, 'prompt');
  const name = promptVariable(annotations.name);
  const failed = (error: string): UntimedOutcome => ({
    ...failedStep(error, null),
    suggestInstall: null,
    stderr: run.stderr.join(''),
  });
  const settings = promptSettings(annotations.prompt, request.ai);
  const reader = settings.output === 'text' ? null : await answerReader(settings.schema);
  if (reader !== null && 'problem' in reader) return failed(reader.problem);
  const inputs = await readableInputs(tools.store, request.inputs);
  if (inputs.kind === 'lost') return lostInput(inputs);
  const prompt = await renderPrompt(
    parseTemplate(promptBody(request.source)),
    inputs.files,
    pythonTexts(tools, request, { files: inputs.files, outputDir: run.outputDir, options: run }),
  );
  if (prompt.kind === 'cancelled') return { kind: 'cancelled', stdout: '', stderr: run.stderr.join('') };
  if (prompt.kind === 'failed') return failed(prompt.message);
  for (const note of prompt.notes) run.say(note);
  if (prompt.text === '') {
    return failed('The prompt is empty. Write it below the # lines of the cell.');
  }
  const key = promptKey({ ...settings, rendered: prompt.text, upstream: upstreamOf(request) });
  const stored = await answerPrompt(tools.store, request, key);
  if (stored !== null) return stored;
  const sharing = promptSharing(request, key, request.ai.settings);
  const { team } = tools;
  const hit =
    team === undefined ? null : await findTeamResult(team, tools, { request, options: run, sharing });
  if (hit !== null) return hit;
  if (run.signal.aborted) return { kind: 'cancelled', stdout: '', stderr: run.stderr.join('') };
  const { apiKey, hint } = request.ai;
  if (apiKey === null) return failed(hint);
  const answer = await askProvider(tools, request, {
    ...run,
    ai: { ...request.ai.settings, apiKey, model: settings.model },
    settings,
    temperatureIsChosen: annotations.prompt.temperature !== null,
    rendered: prompt.text,
    read: reader,
    key,
    name,
  });
  if (team !== undefined) {
    const outcome = { ...answer, durationMs: 0 };
    tools.inBackground(publishToTeam(team, tools.store, { request, outcome, sharing }));
  }
  return answer;
}

/**
 * Keys of its inputs: the bytes of the values, and for awaited cells without a value the keys of those cells.
 */
function upstreamOf({ contentKey, inputs, inputHashes }: PromptStep): readonly string[] {
  if (contentKey === null) return inputHashes;
  return inputs.map(
    ({ variable, variant, row }) => `${variable}${variant ?? ''}=${row?.contentType}:${readDigest(row)}`,
  );
}

interface PreparedPrompt extends Run {
  readonly ai: AiSettings;
  readonly settings: PromptSettings;
  readonly temperatureIsChosen: boolean;
  readonly rendered: string;
  readonly read: AnswerReader | null;
  readonly key: string;
  readonly name: string;
}

async function askProvider(
  tools: StepTools,
  request: PromptStep,
  asking: PreparedPrompt,
): Promise<UntimedOutcome> {
  const { settings, read, ai, signal, say } = asking;
  const startedAt = performance.now();
  const feed = createDeltaFeed((delta) => asking.onDelta?.(delta));
  const question = questionOf(asking);
  // The cell's timeout covers all its requests together; the provider's own covers each pause of the reply.
  const limit = AbortSignal.timeout(
    Math.min(Math.max(request.timeoutSeconds, 0) || LONGEST_S, LONGEST_S) * 1000,
  );
  try {
    const conversation = await converse(openModel(ai, question.answer), question, {
      signal: AbortSignal.any([signal, limit]),
      read,
      attempts: settings.attempts,
      onText: feed.text,
      onRestart: feed.retry,
      onNotice: (text) => {
        feed.notice(text);
        say(text);
      },
    });
    feed.end();
    const usage = conversation.kind === 'answer' ? conversation.answer.usage : conversation.usage;
    say(usageMessage(settings.model, usage));
    if (conversation.kind === 'failed') {
      return {
        ...failedStep(conversation.message, null),
        suggestInstall: null,
        stderr: asking.stderr.join(''),
      };
    }
    if (conversation.answer.isCut)
      say('The response was cut off at the token limit. Raise @max_tokens to get all of it.');
    signal.throwIfAborted();
    return await publishAnswer(tools.store, request, {
      answer: conversation.answer,
      settings,
      provider: ai.provider,
      key: asking.key,
      name: asking.name,
      outputDir: asking.outputDir,
      runId: asking.runId,
      console: { stdout: '', stderr: asking.stderr.join('') },
      durationMs: performance.now() - startedAt,
    });
  } catch (error) {
    if (error instanceof StoreError || signal.aborted || !limit.aborted) throw error;
    throw new ChatError(
      `The model did not finish within the cell’s timeout of ${request.timeoutSeconds} s. Set a longer timeout for the cell or the notebook.`,
      { kind: 'final' },
    );
  } finally {
    feed.end();
  }
}

/** Without a timeout a timer still needs one: the longest that Node's timers support. */
const LONGEST_S = 2_000_000;

function questionOf({ settings, rendered, temperatureIsChosen }: PreparedPrompt): Question {
  const { model, temperature, maxTokens, system, output, schema } = settings;
  return {
    model,
    temperature,
    maxTokens,
    temperatureIsChosen,
    answer: output === 'text' ? { kind: 'text' } : { kind: 'json', schema },
    turns: [
      ...(system === null ? [] : [{ role: 'system', text: system } as const]),
      { role: 'user', text: rendered },
    ],
  };
}
