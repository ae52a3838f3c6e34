import { normalName, readRequirement } from '../../src-shared/notebook/requirement.ts';
import type { PackageSource } from '../../src-shared/wire/environment.ts';
import { type ImportRecord, readImportRecord, writeImportRecord } from '../notebook/kept/importRecord.ts';
import { changeProject } from './changeProject.ts';
import { type AskedRWork, doWork, type EnvironmentWork } from './environmentWork.ts';
import { previewWork, type WorkPreview } from './previewWork.ts';
import { fromElsewhere, packageSources, requirementSource } from './project/packageSources.ts';
import { setRequirements } from './project/projectEdit.ts';
import { type EnvironmentFacts, readEnvironment } from './readEnvironment.ts';
import { NO_LOG, type SyncOutcome, settle } from './settleEnvironment.ts';
import type { SyncRequest } from './syncEnvironment.ts';

type Work = Exclude<EnvironmentWork, AskedRWork>;
type Request = Omit<SyncRequest, 'lock' | 'force'>;

/** A package that has no wheel is left out and the rest tried again, so often at most. */
const MOST_LEFT_OUT = 50;

/**
 * What of an import waits until the person allows it; none where nothing does. A lock that uv made here names the
 * configured index, whichever that is; one that came with the import names what its sender chose.
 */
export async function waitingPackages(
  dir: string,
  { project, lock }: Pick<EnvironmentFacts, 'project' | 'lock'>,
): Promise<readonly PackageSource[]> {
  const imported = await readImportRecord(dir);
  if (imported === null || imported.builds) return [];
  const lockText = imported.kind === 'snapshot' ? (lock?.text ?? null) : null;
  return [...imported.waiting.map(waitingSource), ...fromElsewhere(packageSources(project, lockText))];
}

/** What names no address was left out because it has to be built. */
function waitingSource(requirement: string): PackageSource {
  const source = requirementSource(requirement);
  return source.kind === 'index' ? { ...source, kind: 'build' } : source;
}

/**
 * A job on a notebook's environment. One that was imported is given wheels of the configured index alone, and builds
 * nothing, until the person has allowed more: `allow` is that.
 */
export async function doImportedWork(work: Work, request: Request): Promise<SyncOutcome> {
  const imported = await readImportRecord(request.dir);
  if (imported === null || imported.builds) return doWork(plain(work), request);
  return work.action === 'allow' ? allow(imported, request) : held(work, request);
}

/** A preview of such a job: it builds no more than the job would, and asks nobody the job would not ask. */
export async function previewImportedWork(
  work: EnvironmentWork,
  request: Parameters<typeof previewWork>[1],
): Promise<WorkPreview> {
  const imported = await readImportRecord(request.dir);
  if (imported === null || imported.builds) return previewWork(work, request);
  const facts = await readEnvironment(request.dir);
  const strange = await stillAsked(request.dir, facts);
  if (strange.length > 0) return { kind: 'failed', error: waitsWords(strange) };
  return previewWork(work, { ...request, env: withoutBuilds(request.env) });
}

/** Why no index may be asked for this notebook yet, in words; null where it may: an import may name a strange one. */
export async function whyIndexWaits(dir: string): Promise<string | null> {
  const imported = await readImportRecord(dir);
  if (imported === null || imported.builds) return null;
  const strange = await stillAsked(dir, await readEnvironment(dir));
  return strange.length === 0 ? null : waitsWords(strange);
}

/** Without an import there is nothing to allow: what is missing is installed. */
function plain(work: Work): Work {
  return work.action === 'allow' ? { action: 'sync', asked: false } : work;
}

/** The record says so only once all is installed: what fails waits on. */
async function allow(imported: ImportRecord, request: Request): Promise<SyncOutcome> {
  const { project } = await readEnvironment(request.dir);
  const asked = project?.requirements ?? [];
  const known = new Set(asked.map(nameOf));
  const missing = imported.waiting.filter((requirement) => !known.has(nameOf(requirement)));
  const outcome = await (missing.length === 0
    ? doWork({ action: 'sync', asked: true }, request)
    : changeProject({ ...request, edit: { kind: 'replace', requirements: [...asked, ...missing] } }));
  if (outcome.error === null)
    await writeImportRecord(request.dir, { ...imported, builds: true, waiting: [] });
  return outcome;
}

async function held(work: Work, request: Request): Promise<SyncOutcome> {
  const { dir, onText } = request;
  const wheels: Request = { ...request, env: withoutBuilds(request.env) };
  for (let leftOut = 0; ; leftOut += 1) {
    const before = await readEnvironment(dir);
    const waiting = await waitingPackages(dir, before);
    const strange = await stillAsked(dir, before);
    if (strange.length > 0) {
      const attempt = { kind: 'failed', error: waitsWords(strange), ranUv: false, log: NO_LOG } as const;
      return settle(
        { dir, python: null, env: wheels.env ?? process.env },
        { attempt, before, durationMs: 0 },
      );
    }
    if (waiting.length > 0) onText?.('stdout', `${waitsWords(waiting)}\n`);
    const outcome = await doWork(work, wheels);
    const name = outcome.error === null ? null : unbuilt(outcome);
    if (name === null) return outcome;
    const direct = before.project?.requirements.find((requirement) => nameOf(requirement) === name);
    // What a person just asked for, or another package needs, is not taken out of the project behind their back.
    if (work.action !== 'sync' || direct === undefined || leftOut === MOST_LEFT_OUT) {
      return { ...outcome, error: buildWords(name) };
    }
    await leaveOut(dir, { direct, before });
  }
}

/** Of what waits, the packages that the project's own files ask for, so that uv would go there. */
async function stillAsked(dir: string, facts: EnvironmentFacts): Promise<readonly PackageSource[]> {
  const asked = fromElsewhere(packageSources(facts.project, facts.lock?.text ?? null));
  const names = new Set(asked.map(({ requirement }) => requirement));
  return (await waitingPackages(dir, facts)).filter(({ requirement }) => names.has(requirement));
}

function withoutBuilds(env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  return { ...env, UV_NO_BUILD: '1' };
}

/** Recorded before it is taken out: a kill between the two loses nothing. */
async function leaveOut(
  dir: string,
  { direct, before }: { readonly direct: string; readonly before: EnvironmentFacts },
): Promise<void> {
  const imported = await readImportRecord(dir);
  if (imported === null) return;
  await writeImportRecord(dir, { ...imported, waiting: [...new Set([...imported.waiting, direct])] });
  const left = (before.project?.requirements ?? []).filter((requirement) => requirement !== direct);
  await setRequirements(dir, left);
}

/** The package that uv would have had to build, or null where it failed for another reason. */
function unbuilt({ log, error }: SyncOutcome): string | null {
  const said = `${log.stderr.text}\n${error ?? ''}`;
  const name =
    /Wheels are required for `([^`]+)` because building from source is disabled/.exec(said)?.[1] ??
    /Building source distributions for `([^`]+)` is disabled/.exec(said)?.[1] ??
    /Distribution `([A-Za-z0-9._-]+)==[^`]*` can't be installed because it is marked as `--no-build`/.exec(
      said,
    )?.[1] ??
    /Because ([A-Za-z0-9._-]+)\S* has no usable wheels/.exec(said)?.[1];
  return name === undefined ? null : nameOf(name);
}

function nameOf(requirement: string): string {
  return normalName(readRequirement(requirement)?.name ?? requirement.replace(/==.*$/, ''));
}

function waitsWords(waiting: readonly PackageSource[]): string {
  const listed = waiting.map(({ requirement, from }) =>
    from === null ? requirement : `${requirement} (${from})`,
  );
  return `Not installed until you allow it, because this notebook was imported: ${listed.join(', ')}. Allow it in the Environment panel.`;
}

function buildWords(name: string): string {
  return `${name} has no wheel for this machine and would be built from source, which runs its code. This notebook was imported, so allow the package in the Environment panel, then try again.`;
}
