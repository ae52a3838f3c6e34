/** Reads the environment of a session's notebook, for the handlers of routes. */

import type { PackageSuggestion } from '../../../src-shared/notebook/suggestPackages.ts';
import type { AppError } from '../../../src-shared/wire/errors.ts';
import type { EnvironmentPayload } from '../../../src-shared/wire/routes/environment.ts';
import type { Diagnosis } from '../../../src-shared/wire/routes/environmentExtensions.ts';
import type { EnvironmentWork } from '../../environment/environmentWork.ts';
import { type FilesAround, readEarlierFiles } from '../../environment/folder/earlierFiles.ts';
import { readProjectFile } from '../../environment/folder/projectFile.ts';
import { lockChanges, type PackageChange } from '../../environment/lock/lockChanges.ts';
import type { WorkPreview } from '../../environment/previewWork.ts';
import type { RPackages } from '../../environment/r/rPackages.ts';
import type { IndexedPackage } from '../../environment/search/lookUpPackage.ts';
import type { EnvironmentDriver } from '../effects/environmentDriver.ts';
import type { SessionState } from '../state/state.ts';
import { whyUntrusted } from '../state/untrusted.ts';
import { viewREnvironment } from '../view/view.ts';

/** Reads about a notebook's environment; none of them changes it. */
export interface EnvironmentView {
  /** The current environment (docs/spec/rest-notebooks.md, 2.7). */
  payload(): EnvironmentPayload;
  /** The direct requirements as written in the project file. */
  requirements(): Promise<readonly string[]>;
  /** Why no program is started for this notebook now, or null: resolving may run code of packages. */
  whyNotPreviewed(): AppError | null;
  /** What a job would change. */
  preview(work: EnvironmentWork): Promise<WorkPreview>;
  /** Packages whose names match the typed text; uses no network. */
  suggest(typed: string): Promise<readonly PackageSuggestion[]>;
  /** Looks up a package name in the notebook's package index. */
  lookUp(name: string): Promise<IndexedPackage>;
  /** The packages of the R library; starts R. */
  rPackages(): Promise<RPackages>;
  /** Instructions for installing R if it is missing; null: R is installed. */
  whyNoR(): Promise<string | null>;
  /** What the environment depends on, for people to read. Starts no program of an untrusted folder. */
  diagnose(): Promise<Diagnosis['sections']>;
  /**
   * The changes of a finished job, and the files before and after it; null if it changed nothing, or its record no
   * longer exists.
   */
  changesOf(
    jobId: string,
  ): Promise<{ readonly changes: readonly PackageChange[]; readonly files: FilesAround } | null>;
}

/** Creates the view of one session's environment. */
export function createEnvironmentView(
  driver: Pick<EnvironmentDriver, 'preview' | 'search' | 'diagnose' | 'rPackages' | 'whyNoR'>,
  state: () => SessionState,
): EnvironmentView {
  return {
    payload() {
      const now = state();
      const { environment, job, history, dependencies, resolved } = now.environment;
      return {
        environment,
        environment_job: job ?? history[0] ?? null,
        environment_job_history: [...history],
        dependencies: [...dependencies],
        resolved_dependencies: [...resolved],
        r_environment: viewREnvironment(now),
      };
    },
    requirements: async () => (await readProjectFile(state().path))?.requirements ?? [],
    whyNotPreviewed: () => whyUntrusted(state()),
    preview: (work) => driver.preview(work),
    suggest: (typed) => {
      const now = state();
      const { dependencies, resolved } = now.environment;
      const notebook = [...dependencies, ...resolved].map(({ name }) => name);
      return driver.search.suggest(typed, { trusted: whyUntrusted(now) === null, notebook });
    },
    lookUp: (name) => driver.search.lookUp(name),
    rPackages: () => driver.rPackages(),
    whyNoR: () => driver.whyNoR(),
    async diagnose() {
      const now = state();
      const trusted = whyUntrusted(now) === null;
      return [...(await driver.diagnose({ trusted })), rSection(now), stateSection(now)];
    },
    async changesOf(jobId) {
      const files = await readEarlierFiles(state().path, jobId);
      if (files === null) return null;
      const python = state().environment.environment.requested_python_version;
      const target = { python, platform: process.platform, arch: process.arch };
      return { files, changes: lockChanges(files.before.lock, files.after.lock, target) };
    },
  };
}

type Section = Diagnosis['sections'][number];

function rSection(now: SessionState): Section {
  const r = viewREnvironment(now);
  const version = now.rVersion ?? r.system_r_version;
  const rows = [
    { name: 'R', value: version ?? 'not found, or not checked because no cell needs it', problem: false },
    { name: 'renv.lock', value: r.has_lockfile ? r.sync_state : 'none', problem: r.sync_state === 'failed' },
  ];
  return { title: 'R', rows };
}

function stateSection({ environment: { environment, job, history } }: SessionState): Section {
  const last = job ?? history[0] ?? null;
  const isFailed = environment.sync_state === 'failed' || environment.sync_state === 'fallback';
  const row = (name: string, value: string | null, problem: boolean): Section['rows'] =>
    value === null ? [] : [{ name, value, problem }];
  return {
    title: 'State',
    rows: [
      { name: 'Environment', value: environment.sync_state, problem: isFailed },
      ...row('Why', environment.sync_error, true),
      ...row('Notice', environment.sync_notice, true),
      ...(last === null
        ? []
        : [
            { name: 'Last job', value: `${last.command}: ${last.status}`, problem: last.status === 'failed' },
          ]),
      ...row('Error', last?.error ?? null, true),
    ],
  };
}
