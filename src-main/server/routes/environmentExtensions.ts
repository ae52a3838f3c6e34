/**
 * Handlers of further environment routes for the window: preview, cancel and undo a change, and repair the environment.
 */

import { AppError } from '../../../src-shared/wire/errors.ts';
import type { ENVIRONMENT_EXTENSION_ROUTES } from '../../../src-shared/wire/routes/environmentExtensions.ts';
import { diagnosisText, withoutPasswords } from '../../environment/diagnose.ts';
import type { EnvironmentWork } from '../../environment/environmentWork.ts';
import type { Call, HandlersOf } from '../implementRoutes.ts';
import { importedList, importedRequirements, importedYaml } from './importedText.ts';
import type { HandlerContext } from './notebooks.ts';
import { dispatchAndWait, sessionOf } from './sessionOf.ts';

type Contracts = typeof ENVIRONMENT_EXTENSION_ROUTES;

/** The handlers of further routes about the environment: jobs, and its problem with the repair (docs/extensions.md). */
export function environmentExtensionHandlers({
  sessions,
  refuseWhenDraining,
}: Pick<HandlerContext, 'sessions' | 'refuseWhenDraining'>): HandlersOf<Contracts> {
  return {
    async previewEnvironmentJob({ params, body }) {
      refuseWhenDraining();
      const session = sessionOf(sessions, params.sid);
      const untrusted = session.views.environment.whyNotPreviewed();
      if (untrusted !== null) throw untrusted;
      const work = await workOf(body);
      const preview = await session.views.environment.preview(work);
      const warnings = work.action === 'import' ? [...work.warnings] : [];
      return preview.kind === 'failed'
        ? { changes: [], problem: preview.error, warnings }
        : { changes: [...preview.changes], problem: null, warnings };
    },
    async addPackages({ params, body, caller }) {
      refuseWhenDraining();
      const session = sessionOf(sessions, params.sid);
      const work = { action: 'add', requirements: body.packages, dev: false } as const;
      await dispatchAndWait(
        { session, caller },
        { type: 'start_environment_job', work, waits: false },
        'environment',
      );
      return { accepted: true, ...session.views.environment.payload() };
    },
    async suggestPackages({ params, query }) {
      const { environment } = sessionOf(sessions, params.sid).views;
      return { names: [...(await environment.suggest(query.typed))] };
    },
    async lookUpPackage({ params }) {
      const session = sessionOf(sessions, params.sid);
      const untrusted = session.views.environment.whyNotPreviewed();
      if (untrusted !== null) throw untrusted;
      return session.views.environment.lookUp(params.package_name);
    },
    async readPackageList({ params, body }) {
      const { environment } = sessionOf(sessions, params.sid).views.environment.payload();
      const minor = environment.requested_python_version || environment.runtime_python_version || '3.13';
      const { format, requirements, leftOut } = await importedList(body.file_name, body.text, minor);
      return { format, requirements: [...requirements], left_out: [...leftOut] };
    },
    async cancelEnvironmentJob({ params, caller }) {
      const session = sessionOf(sessions, params.sid);
      const { cancelled } = await dispatchAndWait(
        { session, caller },
        { type: 'cancel_environment_job' },
        'cancelled',
      );
      return { cancelled };
    },
    async environmentJobChanges({ params }) {
      const changes = await sessionOf(sessions, params.sid).views.environment.changesOf(params.job_id);
      if (changes === null) throw notKept();
      return { changes: [...changes.changes] };
    },
    async diagnoseEnvironment({ params }) {
      const session = sessionOf(sessions, params.sid);
      const redactor = session.views.notebook.redactor();
      const sections = (await session.views.environment.diagnose()).map(({ title, rows }) => ({
        title,
        rows: rows.map((row) => ({ ...row, value: redactor.text(withoutPasswords(row.value)) })),
      }));
      return { sections, text: diagnosisText(sections) };
    },
    async allowPackages({ params, body, caller }) {
      refuseWhenDraining();
      const session = sessionOf(sessions, params.sid);
      const waiting = (session.views.notebook.body().waiting_packages ?? []).map(
        ({ requirement }) => requirement,
      );
      const names = new Set(body.requirements);
      if (
        waiting.length === 0 ||
        names.size !== new Set(waiting).size ||
        !waiting.every((one) => names.has(one))
      ) {
        throw new AppError('conflict', notTheSame(waiting));
      }
      const work = { action: 'allow' } as const;
      await dispatchAndWait(
        { session, caller },
        { type: 'start_environment_job', work, waits: false },
        'environment',
      );
      return { accepted: true, ...session.views.environment.payload() };
    },
    async repairEnvironment({ params, caller }) {
      refuseWhenDraining();
      const session = sessionOf(sessions, params.sid);
      const work = { action: 'repair' } as const;
      await dispatchAndWait(
        { session, caller },
        { type: 'start_environment_job', work, waits: false },
        'environment',
      );
      return { accepted: true, ...session.views.environment.payload() };
    },
    async undoEnvironmentJob({ params, caller }) {
      refuseWhenDraining();
      const session = sessionOf(sessions, params.sid);
      const changes = await session.views.environment.changesOf(params.job_id);
      if (changes === null) throw notKept();
      const { environment_job_history: history } = session.views.environment.payload();
      const before = history.find(({ id }) => id === params.job_id)?.command ?? 'an earlier job';
      const work = { action: 'restore', ...changes.files.before, before } as const;
      await dispatchAndWait(
        { session, caller },
        { type: 'start_environment_job', work, waits: false },
        'environment',
      );
      return { accepted: true, ...session.views.environment.payload() };
    },
  };
}

function notTheSame(waiting: readonly string[]): string {
  return waiting.length === 0
    ? 'No packages are waiting for approval.'
    : `Name exactly the packages that are waiting: ${waiting.join(', ')}.`;
}

function notKept(): AppError {
  return new AppError('not_found', 'This job changed no packages, or is no longer stored.');
}

/** @throws AppError bad_request unless exactly one change is requested */
async function workOf(body: Call<Contracts['previewEnvironmentJob']>['body']): Promise<EnvironmentWork> {
  const { add, ...texts } = body;
  const entries = Object.entries(texts).flatMap(([key, text]) =>
    text === undefined ? [] : [[key, text] as const],
  );
  if (add !== undefined && entries.length === 0) {
    return { action: 'add', requirements: typeof add === 'string' ? [add] : add, dev: false };
  }
  const [only, ...others] = entries;
  if (only === undefined || others.length > 0 || add !== undefined) {
    throw new AppError('bad_request', `Request exactly one of: ${CHANGE_FIELDS.join(', ')}.`);
  }
  const [key, text] = only;
  switch (key) {
    case 'remove':
      return { action: 'remove', name: text };
    case 'python_version':
      return { action: 'change_python', minor: text };
    case 'requirements':
      return { action: 'import', requirements: importedRequirements(text), warnings: [] };
    default:
      return { action: 'import', ...(await importedYaml(text)) };
  }
}

const CHANGE_FIELDS = ['add', 'remove', 'python_version', 'requirements', 'environment_yaml'] as const;
