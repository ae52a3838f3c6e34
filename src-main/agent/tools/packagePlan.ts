/** The assistant's tool that adds packages, as a plan to confirm. */

import { requirementText, singleRequirement } from '../../../src-shared/notebook/requirement.ts';
import type { AgentPreview } from '../../../src-shared/wire/assistant.ts';
import type { EnvironmentWork } from '../../environment/environmentWork.ts';
import { hideText, tailOf } from '../hide.ts';
import type { PlanOrRefusal } from './cellPlans.ts';
import {
  dispatch,
  errorOutcome,
  refusalOf,
  successOutcome,
  type ToolContext,
  type ToolOutcome,
} from './toolContext.ts';
import type { ArgumentsOf } from './toolSpecs.ts';

/** A user waits for the question: if the preview takes longer, the changes are shown as unknown. */
const PREVIEW_MS = 20_000;
const MAX_LOG = 1_000;

export function planAddPackage(context: ToolContext, args: ArgumentsOf<'add_package'>): PlanOrRefusal {
  const requirement = singleRequirement(args.package_spec);
  if (requirement === null) {
    return {
      outcome: errorOutcome(`${JSON.stringify(args.package_spec)} is not one package with versions.`),
    };
  }
  if (requirement.url !== null) {
    const words =
      'Packages from an address are added by the person only. Name a package of the index, or ask the person.';
    return { outcome: errorOutcome(words) };
  }
  const text = requirementText(requirement);
  const work: EnvironmentWork = { action: 'add', requirements: [text], dev: false };
  return {
    plan: {
      summary: `Add the package ${text}`,
      preview: () => previewOf(context, work, text),
      apply: () => add(context, work),
    },
  };
}

async function previewOf(
  context: ToolContext,
  work: EnvironmentWork,
  requirement: string,
): Promise<AgentPreview> {
  const { environment } = context.notebook.views;
  const unknown = (problem: string): AgentPreview => ({
    kind: 'packages',
    requirement,
    changes: [],
    problem,
  });
  const refused = environment.whyNotPreviewed();
  if (refused !== null) return unknown(refused.message);
  const preview = await soon(environment.preview(work), context.signal);
  if (preview === null)
    return unknown('Resolving the packages takes long, so the changes are not known yet.');
  if (preview.kind === 'failed') return unknown(preview.error);
  const changes = preview.changes.map(({ name, from, to }) => ({ name, before: from, after: to }));
  return { kind: 'packages', requirement, changes, problem: null };
}

/** The value, or null if it takes too long. @throws the signal's reason */
async function soon<T>(work: Promise<T>, signal: AbortSignal): Promise<T | null> {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), PREVIEW_MS);
  const either = AbortSignal.any([signal, limit.signal]);
  const deadlineHit = new Promise<null>((resolve) => {
    if (either.aborted) resolve(null);
    either.addEventListener('abort', () => resolve(null), { once: true });
  });
  try {
    const value = await Promise.race([work, deadlineHit]);
    signal.throwIfAborted();
    return value;
  } finally {
    clearTimeout(timer);
  }
}

async function add(context: ToolContext, work: EnvironmentWork): Promise<ToolOutcome> {
  const stop = (): void => {
    // Its outcome is the reply of the job, which is awaited below.
    void dispatch(context, { type: 'cancel_environment_job' }).catch(() => undefined);
  };
  const request = { type: 'start_environment_job', work, waits: true } as const;
  context.signal.addEventListener('abort', stop, { once: true });
  try {
    const reply = await dispatch(context, request);
    if (reply.kind !== 'environment' || reply.ended === null) {
      return refusalOf(reply) ?? errorOutcome('The package was not added.');
    }
    const { job } = reply.ended;
    if (job.status === 'completed') return successOutcome('Added. The environment is up to date.');
    const redactor = context.notebook.views.notebook.redactor();
    const log = tailOf(hideText(`${job.error ?? ''}\n${job.stderr}`.trim(), redactor), MAX_LOG);
    return errorOutcome(
      `The package was not added.\n${context.fence.wrap('messages of the installer', log)}`,
    );
  } finally {
    context.signal.removeEventListener('abort', stop);
  }
}
