/**
 * The diagnosis of a notebook's environment for the diagnostics dialog and its route: uv, Pythons, project,
 * lock, packages, network settings and disk.
 */

import { access, constants, readdir, readFile, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Diagnosis } from '../../src-shared/wire/routes/environmentExtensions.ts';
import { errnoOf } from '../lib/atomicFile.ts';
import { namesIn } from '../lib/guardedFolder/read.ts';
import type { NotebookFolder } from '../notebook/folder/notebookFolder.ts';
import { ownFolder } from '../notebook/folder/ownPlaces.ts';
import { parseLock } from './lock/lockText.ts';
import { storePackagesMissingFrom } from './project/storePackages.ts';
import { readEnvironment } from './readEnvironment.ts';
import { findPythons } from './uv/findPythons.ts';
import type { FoundUv } from './uv/resolveUv.ts';
import { captureTool } from './uv/runTool.ts';
import { uvBaseEnv } from './uv/uvSync.ts';
import { venvDir, venvPython } from './venv/venv.ts';

type Section = Diagnosis['sections'][number];
type Row = Section['rows'][number];

interface DiagnoseRequest {
  readonly dir: NotebookFolder;
  readonly uv: FoundUv;
  /** The program's cache folder, which also has its tools. */
  readonly cacheDir: string;
  /** False: no program of the notebook's folder is started. */
  readonly trusted: boolean;
  readonly env?: NodeJS.ProcessEnv;
}

const PROBE_MS = 10_000;
/** A sync of common packages needs more space than this. */
const LITTLE_BYTES = 1_000_000_000;

const PROXIES = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY'];
const CERTIFICATES = ['SSL_CERT_FILE', 'SSL_CERT_DIR', 'NODE_EXTRA_CA_CERTS', 'SSL_CLIENT_CERT'];
const INDEXES = [
  'UV_DEFAULT_INDEX',
  'UV_INDEX',
  'UV_INDEX_URL',
  'UV_EXTRA_INDEX_URL',
  'UV_FIND_LINKS',
  'UV_OFFLINE',
];

/**
 * Everything that an environment depends on, one section for each part; `problem` marks rows with a problem. Changes
 * nothing. Passwords in URLs are left out; other secrets must be hidden by the caller.
 */
export async function diagnose(request: DiagnoseRequest): Promise<readonly Section[]> {
  const env = uvBaseEnv(request.env ?? process.env);
  const sections = await Promise.all([
    uvSection(request, env),
    pythonSection(request, env),
    environmentSection(request),
    resultsSection(request),
    networkSection(env),
    diskSection(request),
  ]);
  return sections.filter((section) => section !== null);
}

async function uvSection({ uv, dir }: DiagnoseRequest, env: NodeJS.ProcessEnv): Promise<Section> {
  if (uv.kind === 'missing') return { title: 'uv', rows: [bad('uv', uv.message)] };
  const cache = await outputOf(uv.path, ['cache', 'dir'], { dir, env });
  return {
    title: 'uv',
    rows: [
      good('Version', uv.version),
      good('Path', uv.path),
      good('Found by', SOURCE_WORDS[uv.source]),
      cache === null ? bad('Cache', 'uv did not report its cache folder') : good('Cache', cache),
    ],
  };
}

const SOURCE_WORDS = {
  setting: 'SVC_UV',
  resource: 'bundled with Cellar',
  path: 'PATH',
  wheel: 'downloaded',
} as const;

async function pythonSection({ dir }: DiagnoseRequest, env: NodeJS.ProcessEnv): Promise<Section> {
  const [pythons, { project }] = await Promise.all([findPythons(env), readEnvironment(dir)]);
  const required = project?.requiresPython ?? '';
  return {
    title: 'Python',
    rows: [
      good('Wanted', required === '' ? 'any' : required),
      ...(pythons.length === 0 ? [bad('Found', 'no Python 3.10 or newer')] : []),
      ...pythons.map(({ version, path }) => good(version, path)),
    ],
  };
}

async function environmentSection({ dir, trusted }: DiagnoseRequest): Promise<Section> {
  const { project, lock, venv } = await readEnvironment(dir);
  const python = venvPython(venvDir(dir));
  const starts =
    venv !== null && trusted ? await outputOf(python, ['-I', '-c', 'print("starts")'], { dir }) : null;
  const leftovers = stateNames(dir).filter((name) =>
    /^(?:venv-[0-9a-f]{8}(?:-old|-gone)?|sync-in-progress\.json)$/.test(name),
  );
  return {
    title: 'Environment',
    rows: [
      project === null
        ? bad('pyproject.toml', 'is missing')
        : project.problem === null
          ? good('pyproject.toml', `${project.requirements.length} packages required`)
          : bad('pyproject.toml', project.problem),
      lock === null
        ? bad('uv.lock', 'is missing')
        : parseLock(lock.text) === null
          ? bad('uv.lock', 'cannot be read; a repair creates it again')
          : good('uv.lock', lock.digest.slice(0, 12)),
      venv === null
        ? bad('.venv', 'is missing or has no Python')
        : good(
            '.venv',
            `Python ${venv.version}${venv.upToDate ? ', matches the lock file' : ', differs from the lock file'}`,
            !venv.upToDate,
          ),
      ...(venv === null || !trusted
        ? []
        : [
            starts === 'starts'
              ? good('Its Python', 'starts')
              : bad('Its Python', `${python} does not start`),
          ]),
      ...(leftovers.length === 0 ? [] : [bad('Leftovers', leftovers.join(', '))]),
    ],
  };
}

/** The section about packages that results are stored with; null when the environment has all of them, as usual. */
async function resultsSection({ dir }: DiagnoseRequest): Promise<Section | null> {
  const { lock } = await readEnvironment(dir);
  const missing = lock === null || parseLock(lock.text) === null ? [] : storePackagesMissingFrom(lock.text);
  if (missing.length === 0) return null;
  const text = `${missing.join(', ')}. Without them, results are stored as pickles. Add them to the notebook.`;
  return { title: 'Results', rows: [bad('Missing packages', text)] };
}

async function networkSection(env: NodeJS.ProcessEnv): Promise<Section> {
  const settings = (names: readonly string[]): readonly Row[] =>
    names.flatMap((name) => {
      const value = env[name] ?? env[name.toLowerCase()];
      return value === undefined || value === '' ? [] : [good(name, withoutPasswords(value))];
    });
  const proxies = settings(PROXIES);
  return {
    title: 'Network',
    rows: [
      ...(proxies.length === 0 ? [good('Proxy', 'none in the environment')] : proxies),
      good('Certificates', env['UV_SYSTEM_CERTS'] === '1' ? 'system' : 'built into uv'),
      ...(await Promise.all(settings(CERTIFICATES).map(readable))),
      ...settings(INDEXES),
    ],
  };
}

/** A problem when the certificate file cannot be read: then no download works. */
async function readable(row: Row): Promise<Row> {
  const isDirectory = row.name === 'SSL_CERT_DIR';
  const problem = await (isDirectory ? readdir(row.value) : readFile(row.value)).then(
    () => null,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
  return problem === null ? row : bad(row.name, `${row.value}: ${problem}`);
}

async function diskSection({ dir, cacheDir }: DiagnoseRequest): Promise<Section> {
  return { title: 'Disk', rows: [await place('Notebook', dir), await place('Cellar cache', cacheDir)] };
}

async function place(name: string, path: string): Promise<Row> {
  const existing = await firstExisting(path);
  const [space, writable] = await Promise.all([
    statfs(existing).catch(() => null),
    access(existing, constants.W_OK).then(
      () => true,
      () => false,
    ),
  ]);
  if (space === null) return bad(name, `${path} cannot be read`);
  const free = Number(space.bavail) * Number(space.bsize);
  const text = `${path} (${gigabytes(free)} free${writable ? '' : ', not writable'})`;
  return good(name, text, free < LITTLE_BYTES || !writable);
}

/** The nearest existing folder of a path, whose disk a new folder will be on. */
async function firstExisting(path: string): Promise<string> {
  for (let at = path; ; at = dirname(at)) {
    if (
      at === dirname(at) ||
      (await access(at).then(
        () => true,
        () => false,
      ))
    )
      return at;
  }
}

async function outputOf(
  file: string,
  args: readonly string[],
  where: { readonly dir: NotebookFolder; readonly env?: NodeJS.ProcessEnv },
): Promise<string | null> {
  const { end, stdout } = await captureTool({
    file,
    args: [...args],
    cwd: where.dir,
    env: where.env ?? process.env,
    timeoutMs: PROBE_MS,
  });
  return end.kind === 'exited' && end.code === 0 ? stdout.trim() : null;
}

/**
 * Replaces passwords in URLs anywhere in a text (`https://me:secret@host` → `https://[hidden]@host`), and tokens in
 * their queries.
 */
export function withoutPasswords(text: string): string {
  return text
    .replace(/\/\/[^\s/]+@/g, '//[hidden]@')
    .replace(/(^|[\s='"])[^\s/:@]+:[^\s/]+@/g, '$1[hidden]@')
    .replace(/([?&][^=&\s]*(?:token|key|secret|password|sig)[^=&\s]*=)[^&\s]+/gi, '$1[hidden]');
}

/** A diagnosis as text, which users can paste into a request for help. */
export function diagnosisText(sections: Diagnosis['sections']): string {
  return sections
    .map(({ title, rows }) =>
      [title, ...rows.map(({ name, value, problem }) => `${problem ? '! ' : '  '}${name}: ${value}`)].join(
        '\n',
      ),
    )
    .join('\n\n');
}

function gigabytes(bytes: number): string {
  return `${(bytes / 1e9).toFixed(1)} GB`;
}

function good(name: string, value: string, problem = false): Row {
  return { name, value, problem };
}

function bad(name: string, value: string): Row {
  return { name, value, problem: true };
}

/** Empty for a folder that cannot be read. */
function stateNames(dir: NotebookFolder): readonly string[] {
  try {
    return namesIn(ownFolder(dir));
  } catch (error) {
    if (errnoOf(error) === null) throw error;
    return [];
  }
}
