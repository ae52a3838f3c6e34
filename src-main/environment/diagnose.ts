import { access, constants, readdir, readFile, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Diagnosis } from '../../src-shared/wire/routes/environmentExtensions.ts';
import { errnoOf } from '../lib/atomicFile.ts';
import { placeIn } from '../lib/guardedFolder/place.ts';
import { namesIn } from '../lib/guardedFolder/read.ts';
import { parseLock } from './lock/lockText.ts';
import { missingFrom } from './project/storePackages.ts';
import { readEnvironment } from './readEnvironment.ts';
import { findPythons } from './uv/findPythons.ts';
import type { FoundUv } from './uv/resolveUv.ts';
import { captureTool } from './uv/runTool.ts';
import { uvBaseEnv } from './uv/uvSync.ts';
import { venvDir, venvPython } from './venv/venv.ts';

type Section = Diagnosis['sections'][number];
type Row = Section['rows'][number];

export interface DiagnoseRequest {
  readonly dir: string;
  readonly uv: FoundUv;
  /** Where the program keeps its tools. */
  readonly cacheDir: string;
  /** False: nothing of the folder is started. */
  readonly trusted: boolean;
  readonly env?: NodeJS.ProcessEnv;
}

const PROBE_MS = 10_000;
/** Less room than this and a sync of common packages does not end. */
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
 * What an environment stands on, a section for each part, as a person reads it; `problem` marks the rows to look at.
 * Nothing is changed. Passwords in addresses are left out; whoever shows it hides what else is secret.
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
  const cache = await answerOf(uv.path, ['cache', 'dir'], { dir, env });
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
  const wanted = project?.requiresPython ?? '';
  return {
    title: 'Python',
    rows: [
      good('Wanted', wanted === '' ? 'any' : wanted),
      ...(pythons.length === 0 ? [bad('Found', 'no Python 3.10 or newer')] : []),
      ...pythons.map(({ version, path }) => good(version, path)),
    ],
  };
}

async function environmentSection({ dir, trusted }: DiagnoseRequest): Promise<Section> {
  const { project, lock, venv } = await readEnvironment(dir);
  const python = venvPython(venvDir(dir));
  const starts =
    venv !== null && trusted ? await answerOf(python, ['-I', '-c', 'print("starts")'], { dir }) : null;
  const left = stateNames(dir).filter((name) =>
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
      ...(left.length === 0 ? [] : [bad('Leftovers', left.join(', '))]),
    ],
  };
}

/** Null where all that results are stored with is there: a notebook is made with it. */
async function resultsSection({ dir }: DiagnoseRequest): Promise<Section | null> {
  const { lock } = await readEnvironment(dir);
  const missing = lock === null || parseLock(lock.text) === null ? [] : missingFrom(lock.text);
  if (missing.length === 0) return null;
  const words = `${missing.join(', ')}. Without them, results are stored as pickles. Add them to the notebook.`;
  return { title: 'Results', rows: [bad('Missing packages', words)] };
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

/** A certificate file that is named and not there is why nothing can be fetched. */
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
  const there = await firstThere(path);
  const [room, writable] = await Promise.all([
    statfs(there).catch(() => null),
    access(there, constants.W_OK).then(
      () => true,
      () => false,
    ),
  ]);
  if (room === null) return bad(name, `${path} cannot be read`);
  const free = Number(room.bavail) * Number(room.bsize);
  const words = `${path} (${gigabytes(free)} free${writable ? '' : ', not writable'})`;
  return good(name, words, free < LITTLE_BYTES || !writable);
}

/** What is not made yet lies on the disk of the folder above it. */
async function firstThere(path: string): Promise<string> {
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

async function answerOf(
  file: string,
  args: readonly string[],
  where: { readonly dir: string; readonly env?: NodeJS.ProcessEnv },
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

/** `https://me:secret@host` → `https://[hidden]@host`, wherever in a text; tokens in an address's query too. */
export function withoutPasswords(text: string): string {
  return text
    .replace(/\/\/[^\s/]+@/g, '//[hidden]@')
    .replace(/(^|[\s='"])[^\s/:@]+:[^\s/]+@/g, '$1[hidden]@')
    .replace(/([?&][^=&\s]*(?:token|key|secret|password|sig)[^=&\s]*=)[^&\s]+/gi, '$1[hidden]');
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

/** What cannot be listed has nothing to say. */
function stateNames(dir: string): readonly string[] {
  try {
    return namesIn(placeIn(dir, '.svc'));
  } catch (error) {
    if (errnoOf(error) === null) throw error;
    return [];
  }
}
