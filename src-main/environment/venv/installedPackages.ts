/** Lists the installed distributions of an environment and which of them a run used, for cache keys. */

import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import * as z from 'zod';
import { normalizedName } from '../../../src-shared/notebook/requirement.ts';
import { errnoOf, nullIfMissing } from '../../lib/atomicFile.ts';
import { placeIn } from '../../lib/guardedFolder/place.ts';
import { PlaceRefusal } from '../../lib/guardedFolder/refusal.ts';
import { replaceFile } from '../../lib/guardedFolder/replace.ts';
import { sitePackages } from './venv.ts';

/** One distribution of an environment, according to its files in `site-packages`. */
const distribution = z.object({
  /** Digest of its installed files. */
  print: z.string(),
  /** Top-level names that it can be imported by. */
  tops: z.array(z.string()).readonly(),
  /** Normalized names of the distributions it requires, without those of extras. */
  requires: z.array(z.string()).readonly(),
  /** Whether it installed a path file, which every process of this Python reads at its start. */
  everywhere: z.boolean(),
});
export type Distribution = z.infer<typeof distribution>;

/** What is installed in an environment. */
export interface InstalledPackages {
  /** Digest of the path files that belong to no distribution. */
  readonly base: string;
  /** The distributions by normalized name. */
  readonly distributions: ReadonlyMap<string, Distribution>;
}

/** A cache in the environment's folder, because reading all records takes a while. */
const memory = z.object({
  version: z.literal(1),
  /** The `installedDigest` when the records were read. */
  installed: z.string(),
  packages: z
    .object({ base: z.string(), distributions: z.array(z.tuple([z.string(), distribution])) })
    .nullable(),
});
const MEMORY = '.svc-packages.json';

/**
 * The distributions installed in an environment. Null when a distribution does not list its files: then
 * it is unknown which names it provides. Cached in the environment's folder, so that the next open reads one file.
 * @param installed the current digest of the folder (`installedDigest`)
 */
export async function installedPackages(venv: string, installed: string): Promise<InstalledPackages | null> {
  const path = join(venv, MEMORY);
  const cached = await recall(path);
  if (cached?.installed === installed) {
    const { packages } = cached;
    return packages && { base: packages.base, distributions: new Map(packages.distributions) };
  }
  const [folder, ...others] = await sitePackages(venv);
  const isWhole = folder !== undefined && others.length === 0 && !(await includesSystemPackages(venv));
  const result = isWhole ? await readFolder(folder) : null;
  const packages = result && { base: result.base, distributions: [...result.distributions] };
  const text = JSON.stringify({ version: 1, installed, packages } satisfies z.input<typeof memory>);
  // A folder that cannot be written, or a link, is read again next time.
  await replaceFile(placeIn(dirname(venv), basename(venv), MEMORY), text).catch((error: unknown) => {
    if (errnoOf(error) === null && !(error instanceof PlaceRefusal)) throw error;
  });
  return result;
}

/** Whether packages of the machine's own Python can be imported too. */
async function includesSystemPackages(venv: string): Promise<boolean> {
  const text = await readFile(join(venv, 'pyvenv.cfg'), 'utf8').catch(nullIfMissing);
  return /^include-system-site-packages\s*=\s*true\s*$/im.test(text ?? '');
}

async function recall(path: string): Promise<z.infer<typeof memory> | null> {
  const text = await readFile(path, 'utf8').catch(nullIfMissing);
  if (text === null) return null;
  try {
    return memory.safeParse(JSON.parse(text)).data ?? null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

const PATH_FILE = /\.(?:pth|egg-link)$/;

async function readFolder(folder: string): Promise<InstalledPackages | null> {
  const names = (await readdir(folder).catch(nullIfMissing)) ?? [];
  if (names.some((name) => name.endsWith('.egg-info') || name.endsWith('.egg'))) return null;
  const infos = names.filter((name) => name.endsWith('.dist-info'));
  const entries = await Promise.all(infos.map((info) => readDistribution(folder, info)));
  const distributions = new Map<string, Distribution>();
  const owned = new Set<string>();
  for (const one of entries) {
    // With two versions of one distribution, the order of a folder decides which is used.
    if (one === null || distributions.has(one.name)) return null;
    distributions.set(one.name, one.distribution);
    for (const file of one.pathFiles) owned.add(file);
  }
  const hash = createHash('sha256');
  for (const name of names.filter((one) => PATH_FILE.test(one) && !owned.has(one)).sort()) {
    hash.update(`${name}\0`).update(await readFile(join(folder, name)));
  }
  return { base: hash.digest('hex'), distributions };
}

interface DistributionEntry {
  readonly name: string;
  readonly distribution: Distribution;
  readonly pathFiles: readonly string[];
}

async function readDistribution(folder: string, info: string): Promise<DistributionEntry | null> {
  const text = (name: string): Promise<string | null> =>
    readFile(join(folder, info, name), 'utf8').catch(nullIfMissing);
  const [record, metadata] = await Promise.all([text('RECORD'), text('METADATA')]);
  if (record === null || metadata === null) return null;
  const { name, requires } = readMetadata(metadata);
  if (name === null) return null;
  const lines: string[] = [];
  const tops = new Set<string>();
  const pathFiles: string[] = [];
  for (const line of record.split('\n')) {
    // A path with a comma or a quotation mark is quoted; its first part seldom has one.
    const path = (line.startsWith('"') ? line.slice(1) : line).trimEnd();
    if (path === '' || isAboutInstalling(path)) continue;
    lines.push(path);
    const [first = ''] = path.split(/[/,]/, 1);
    if (first.endsWith('.dist-info')) continue;
    if (PATH_FILE.test(first)) pathFiles.push(first);
    // `six.py`, `_cffi_backend.cpython-313-x86_64-linux-gnu.so`, `numpy.libs`
    else tops.add(first.split('.', 1)[0] ?? first);
  }
  const print = createHash('sha256').update(lines.join('\n')).digest('hex').slice(0, 16);
  const everywhere = pathFiles.length > 0;
  return { name, distribution: { print, tops: [...tops], requires, everywhere }, pathFiles };
}

/** Bytecode, programs beside the interpreter (their first line is a path), and records of the installation. */
const ABOUT_INSTALLING =
  /^\.\.|(?:^|\/)__pycache__\/|^[^/]*\.dist-info\/(?:RECORD|INSTALLER|REQUESTED|direct_url\.json|uv_\w+\.json),/;

function isAboutInstalling(line: string): boolean {
  return ABOUT_INSTALLING.test(line);
}

function readMetadata(text: string): { readonly name: string | null; readonly requires: readonly string[] } {
  const [head = ''] = text.split(/\r?\n\r?\n/, 1);
  let name: string | null = null;
  const requires = new Set<string>();
  for (const line of head.split(/\r?\n/)) {
    const [, field, value = ''] = /^(Name|Requires-Dist):\s*(.*)$/i.exec(line) ?? [];
    if (field === undefined) continue;
    if (field.toLowerCase() === 'name') name ??= normalizedName(value.trim());
    else if (!/;.*\bextra\b/.test(value)) {
      const required = /^[A-Za-z0-9][-_.A-Za-z0-9]*/.exec(value)?.[0];
      if (required !== undefined) requires.add(normalizedName(required));
    }
  }
  return { name, requires: [...requires].sort() };
}

/**
 * The distributions that a run reached which asked for these names, with all their requirements, and the digest of
 * each.
 * @param names top-level names, found or not; `dist:<name>` for the metadata of a distribution
 */
export function reachedBy(
  { distributions }: InstalledPackages,
  names: readonly string[],
): Readonly<Record<string, string>> {
  const nameSet = new Set(names);
  const queue = [...distributions].flatMap(([name, { tops, everywhere }]) =>
    everywhere || nameSet.has(`dist:${name}`) || tops.some((top) => nameSet.has(top)) ? [name] : [],
  );
  const reached: Record<string, string> = {};
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    const one = distributions.get(name);
    if (one === undefined || Object.hasOwn(reached, name)) continue;
    reached[name] = one.print;
    queue.push(...one.requires);
  }
  return Object.fromEntries(Object.entries(reached).sort(([a], [b]) => (a < b ? -1 : 1)));
}
