/** Handlers of the routes about a notebook's Python environment: packages, jobs, export and import. */

import type { Requirement } from '../../../src-shared/notebook/requirement.ts';
import { AppError } from '../../../src-shared/wire/errors.ts';
import type {
  ENVIRONMENT_ROUTES,
  EnvironmentPayload,
  OperationLog,
} from '../../../src-shared/wire/routes/environment.ts';
import type { EnvironmentWork } from '../../environment/environmentWork.ts';
import { previewImport } from '../../environment/imports/importPreview.ts';
import { withStorePackages } from '../../environment/project/storePackages.ts';
import { R_PACKAGE } from '../../environment/r/rWork.ts';
import type { Session } from '../../session/api.ts';
import type { EndedJob } from '../../session/state/requests.ts';
import type { Caller } from '../caller.ts';
import type { Call, HandlersOf } from '../implementRoutes.ts';
import { importedRequirements, importedYaml } from './importedText.ts';
import type { HandlerContext } from './notebooks.ts';
import { dispatchAndWait, sessionOf } from './sessionOf.ts';

type Contracts = typeof ENVIRONMENT_ROUTES;

/** The handlers of the routes about the environment (docs/spec/rest-notebooks.md, 6). */
export function environmentHandlers({
  sessions,
  pythonVersions,
  refuseWhenDraining,
}: Pick<HandlerContext, 'sessions' | 'pythonVersions' | 'refuseWhenDraining'>): HandlersOf<Contracts> {
  type Asked = { readonly params: { readonly sid: string }; readonly caller: Caller };
  /** Runs a job and waits for it. @throws AppError with its log if it failed */
  const performAndWait = async ({ params, caller }: Asked, work: EnvironmentWork) => {
    refuseWhenDraining();
    const session = sessionOf(sessions, params.sid);
    const request = { type: 'start_environment_job', work, waits: true } as const;
    const { ended: endedJob } = await dispatchAndWait({ session, caller }, request, 'environment');
    if (endedJob === null) throw new Error('a job that was waited for has not ended');
    const { job } = endedJob;
    if (job.status === 'failed') {
      const operation_log = logOf(endedJob);
      throw new AppError('environment_failed', job.error ?? 'The job failed.', { operation_log });
    }
    return {
      lockfile_changed: endedJob.lockfileChanged,
      operation_log: logOf(endedJob),
      ...payloadOf(session),
      stale_cell_count: job.stale_cell_count,
      stale_cell_ids: job.stale_cell_ids,
      warm_pool_reset: endedJob.warmPoolReset,
      cells: session.views.cells.all(),
    };
  };
  const beginJob = async ({ params, caller }: Asked, work: EnvironmentWork) => {
    refuseWhenDraining();
    const session = sessionOf(sessions, params.sid);
    await dispatchAndWait(
      { session, caller },
      { type: 'start_environment_job', work, waits: false },
      'environment',
    );
    return { accepted: true, ...payloadOf(session), cells: session.views.cells.all() };
  };
  return {
    environment: async ({ params }) => payloadOf(sessionOf(sessions, params.sid)),
    dependencies: async ({ params }) => payloadOf(sessionOf(sessions, params.sid)),
    async rPackages({ params }) {
      refuseWhenDraining();
      const session = sessionOf(sessions, params.sid);
      const untrusted = session.views.environment.whyNotPreviewed();
      if (untrusted !== null) throw untrusted;
      const { packages, ...status } = await session.views.environment.rPackages();
      return { packages: [...packages], ...status };
    },
    addDependency: async (call) => {
      const work = { action: 'add', requirements: [call.body.package], dev: false } as const;
      return { success: true, package: call.body.package, ...(await performAndWait(call, work)) };
    },
    removeDependency: async (call) => {
      const { package_name: name } = call.params;
      return { success: true, package: name, ...(await performAndWait(call, { action: 'remove', name })) };
    },
    syncEnvironment: (call) => performAndWait(call, { action: 'sync', isRequested: true }),
    currentEnvironmentJob: async ({ params }) => {
      const session = sessionOf(sessions, params.sid);
      return { ...payloadOf(session), cells: session.views.cells.all() };
    },
    async startEnvironmentJob(call) {
      const work = await workOf(call.body);
      if (work.action === 'r_add') await mayAddR(sessionOf(sessions, call.params.sid));
      return beginJob(call, work);
    },
    async setPythonVersion(call) {
      const minor = call.body.python_version;
      const availableVersions = await pythonVersions();
      if (!availableVersions.includes(minor)) {
        const list = availableVersions.join(', ') || 'none';
        throw new AppError('bad_request', `Python ${minor} is not available. Available: ${list}.`);
      }
      const session = sessionOf(sessions, call.params.sid);
      const now = payloadOf(session);
      if (now.environment.requested_python_version === minor) {
        const reason = 'already_at_requested_version' as const;
        return { accepted: false, reason, ...now, cells: session.views.cells.all() };
      }
      return beginJob(call, { action: 'change_python', minor });
    },
    async exportRequirements({ params }) {
      const session = sessionOf(sessions, params.sid);
      const lines = await session.views.environment.requirements();
      return {
        pieces: textPieces(lines.map((line) => `${line}\n`).join('')),
        contentType: 'text/plain; charset=utf-8',
        fileName: `${session.views.notebook.body().name}-requirements.txt`,
      };
    },
    async importRequirements(call) {
      const list = importedRequirements(call.body.requirements);
      const work = { action: 'import', requirements: list, warnings: [] } as const;
      return { success: true, imported_count: list.length, ...(await performAndWait(call, work)) };
    },
    async previewRequirements({ params, body }) {
      const now = payloadOf(sessionOf(sessions, params.sid));
      const list = importedRequirements(body.requirements);
      return { ...mutable(previewOf(list, now)), warnings: [], ...now };
    },
    async importEnvironmentYaml(call) {
      const file = await importedYaml(call.body.environment_yaml);
      const answer = await performAndWait(call, { action: 'import', ...file });
      const { requirements, warnings } = file;
      return { success: true, imported_count: requirements.length, warnings: [...warnings], ...answer };
    },
    async previewEnvironmentYaml({ params, body }) {
      const now = payloadOf(sessionOf(sessions, params.sid));
      const { requirements, warnings } = await importedYaml(body.environment_yaml);
      return { ...mutable(previewOf(requirements, now)), warnings: [...warnings], ...now };
    },
  };
}

/** The job of a request body. @throws AppError bad_request for fields that exclude each other */
async function workOf(body: Call<Contracts['startEnvironmentJob']>['body']): Promise<EnvironmentWork> {
  const { action, package: name, requirements, environment_yaml: yaml } = body;
  const fields = Object.entries({ package: name, requirements, environment_yaml: yaml })
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([key]) => key);
  const only = (...allowed: readonly string[]): void => {
    if (fields.length !== 1 || !allowed.includes(fields[0] ?? '')) {
      throw new AppError('bad_request', `A job \`${action}\` takes exactly one of: ${allowed.join(', ')}.`);
    }
  };
  switch (action) {
    case 'add':
      only('package');
      return { action, requirements: [name ?? ''], dev: false };
    case 'remove':
      only('package');
      return { action, name: name ?? '' };
    case 'sync':
      if (fields.length > 0) throw new AppError('bad_request', 'A job `sync` takes no other field.');
      return { action, isRequested: true };
    case 'import':
      only('requirements', 'environment_yaml');
      if (typeof yaml === 'string') return { action, ...(await importedYaml(yaml)) };
      return { action, requirements: importedRequirements(requirements ?? ''), warnings: [] };
    case 'change_python':
      throw new AppError('bad_request', 'Use PUT python-version: a job has no field for the version.');
    case 'r_init':
      if (fields.length > 0) throw new AppError('bad_request', 'A job `r_init` takes no other field.');
      return { action };
    case 'r_add':
      only('package');
      if (name == null || !R_PACKAGE.test(name)) {
        throw new AppError(
          'bad_request',
          'A job `r_add` takes the name of one package of R, without a version.',
        );
      }
      return { action, package: name };
  }
}

/** @throws AppError bad_request without renv.lock, and without R (docs/spec/rest-notebooks.md, 6) */
async function mayAddR(session: Session): Promise<void> {
  const { environment } = session.views;
  if (!environment.payload().r_environment.has_lockfile) {
    throw new AppError('bad_request', 'The notebook has no renv.lock yet. Create it with a job `r_init`.');
  }
  const message = await environment.whyNoR();
  if (message !== null) throw new AppError('bad_request', message);
}

async function* textPieces(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

function payloadOf(session: Session): EnvironmentPayload {
  return session.views.environment.payload();
}

function logOf({ job }: EndedJob): OperationLog {
  const { command, duration_ms, stdout, stderr, stdout_truncated, stderr_truncated } = job;
  return { command, duration_ms, stdout, stderr, stdout_truncated, stderr_truncated };
}

function previewOf(listed: readonly Requirement[], { dependencies }: EnvironmentPayload) {
  const preview = previewImport(withStorePackages(listed, dependencies), dependencies);
  return { ...preview, imported_count: listed.length };
}

function mutable(preview: ReturnType<typeof previewImport>) {
  const { preview_dependencies, normalized_requirements, imported_count, additions, removals, unchanged } =
    preview;
  return {
    preview_dependencies: [...preview_dependencies],
    normalized_requirements: [...normalized_requirements],
    imported_count,
    additions: [...additions],
    removals: [...removals],
    unchanged: [...unchanged],
  };
}
