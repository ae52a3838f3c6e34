/**
 * The observation of a run: which files, variables and other things of the machine it was seen to use; its stored form.
 */

import { createHash } from 'node:crypto';
import { isAbsolute, relative, sep } from 'node:path';
import * as z from 'zod';
import type { Observed } from '../../../src-shared/wire/harness.ts';
import type { ArtifactRow } from '../../artifacts/artifact.ts';
import type { NotebookFolder } from '../../notebook/folder/notebookFolder.ts';

/**
 * The observed facts of a run, as stored with the run's rows (docs/soundness.md). The facts are not part of
 * any key: they are checked whenever a stored result answers. Paths inside the notebook's folder are relative
 * to it; others are facts of this machine.
 */
const fileFact = z.object({
  path: z.string(),
  size: z.number(),
  mtimeNs: z.string(),
  sha256: z.string().nullable(),
});
export type FileFact = z.infer<typeof fileFact>;

const folderFact = z.object({ path: z.string(), sha256: z.string().nullable() });

/** The state of a path when the run ended. */
const writtenFact = z.union([
  fileFact,
  z.object({ path: z.string(), gone: z.literal(true) }),
  z.object({ path: z.string(), folder: z.literal(true) }),
]);
export type WrittenFact = z.infer<typeof writtenFact>;

export const observation = z.object({
  reads: z.array(fileFact),
  absent: z.array(z.string()),
  listed: z.array(folderFact),
  wrote: z.array(writtenFact),
  /** Digest of the notebook's value of each variable the run read by name; null if the notebook sets none. */
  env: z.record(z.string(), z.string().nullable()),
  /** Digest of all variables of the notebook, for a run that iterated over the environment; else null. */
  wholeEnv: z.string().nullable(),
  /** Why the observation is incomplete; empty: it is complete. */
  open: z.array(z.string()),
  /** The run's result may depend on the clock or on randomness. */
  unsteady: z.boolean(),
});
export type Observation = z.infer<typeof observation>;

/** For a run that only computed, as most do: always this one object. */
export const NOTHING_SEEN: Observation = {
  reads: [],
  absent: [],
  listed: [],
  wrote: [],
  env: {},
  wholeEnv: null,
  open: [],
  unsteady: false,
};

/** The param of a row that contains its run's observation. */
export const OBSERVED_PARAM = 'observed';
/** A longer observation is recorded as incomplete instead. */
const MAX_CHARACTERS = 128 * 1024;

type Env = Readonly<Record<string, string>>;

interface About {
  readonly notebookDir: NotebookFolder;
  /** The variables the cell ran with, in addition to those of the machine. */
  readonly env: Env;
  /** Paths of modules that are already in the key. */
  readonly modules: ReadonlySet<string>;
  /** The run was on another machine, whose files do not outlive it. */
  readonly isElsewhere: boolean;
  /** Only part of the run was observed: the last iteration of a loop. */
  readonly isPart: boolean;
}

/** The harness's observation in its stored form. */
export function observationOf(report: Observed, about: About): Observation {
  const { notebookDir, env, modules, isElsewhere, isPart } = about;
  const withFactPath = <T extends { readonly path: string }>(fact: T): T => ({
    ...fact,
    path: factPath(notebookDir, fact.path),
  });
  const file = ({ path, size, mtime_ns, sha256 }: Observed['reads'][number]): FileFact => ({
    path: factPath(notebookDir, path),
    size,
    mtimeNs: mtime_ns,
    sha256,
  });
  const open = isPart ? [...report.open, 'loop'] : report.open;
  const about_ = {
    env: Object.fromEntries(report.env.map((name) => [name, valueDigest(env, name)])),
    wholeEnv: report.env_all ? environmentDigest(env) : null,
    unsteady: report.unsteady,
  };
  const files = report.reads.length + report.listed.length + report.wrote.length;
  if (isElsewhere) {
    const nothing = { reads: [], absent: [], listed: [], wrote: [] };
    return { ...about_, ...nothing, open: files === 0 ? open : [...open, 'elsewhere'] };
  }
  const whole: Observation = {
    ...about_,
    reads: report.reads.map(file).filter(({ path }) => !modules.has(path)),
    absent: report.absent.map((path) => factPath(notebookDir, path)),
    listed: report.listed.map(withFactPath),
    wrote: report.wrote.map((fact) => ('size' in fact ? file(fact) : withFactPath(fact))),
    open,
  };
  if (isNothing(whole)) return NOTHING_SEEN;
  if (JSON.stringify(whole).length <= MAX_CHARACTERS) return whole;
  return { ...whole, reads: [], absent: [], listed: [], wrote: [], open: [...open, 'too_many'] };
}

function isNothing({ reads, absent, listed, wrote, env, wholeEnv, open, unsteady }: Observation): boolean {
  const facts = reads.length + absent.length + listed.length + wrote.length + open.length;
  return facts === 0 && Object.keys(env).length === 0 && wholeEnv === null && !unsteady;
}

/** A path as facts write it: inside the notebook's folder relative and with `/`, else unchanged. */
function factPath(notebookDir: NotebookFolder, path: string): string {
  const inner = relative(notebookDir, path);
  if (inner === '') return '.';
  return inner.startsWith('..') || isAbsolute(inner) ? path : inner.replaceAll(sep, '/');
}

const parsed = new WeakMap<ArtifactRow['params'], Observation | null>();
/** The text of most observations, of runs that only computed. */
const NOTHING_SEEN_TEXT = JSON.stringify(NOTHING_SEEN);

/** The observation of a row's run; null if unknown. */
export function observationIn({ params }: Pick<ArtifactRow, 'params'>): Observation | null {
  const cached = parsed.get(params);
  if (cached !== undefined) return cached;
  const text = params[OBSERVED_PARAM];
  const value = text === undefined ? null : text === NOTHING_SEEN_TEXT ? NOTHING_SEEN : parse(text);
  parsed.set(params, value);
  return value;
}

function parse(text: string): Observation | null {
  try {
    const value = observation.safeParse(JSON.parse(text)).data ?? null;
    return value !== null && isNothing(value) ? NOTHING_SEEN : value;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** Whether the observation is complete: then the run's inputs and facts are all its result can depend on. */
export function isClosed({ open, unsteady }: Observation): boolean {
  return open.length === 0 && !unsteady;
}

/**
 * A digest that is long enough to show that the value of a variable changed; values may be secret. Null if the notebook
 * does not set the variable.
 */
export function valueDigest(env: Env, name: string): string | null {
  const value = Object.hasOwn(env, name) ? env[name] : undefined;
  return value === undefined ? null : short(`${name}\0${value}`);
}

/** A digest of all environment variables of a run. */
export function environmentDigest(env: Env): string {
  const pairs = Object.keys(env).sort();
  return short(JSON.stringify(pairs.map((name) => [name, env[name]])));
}

function short(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
