import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';

/** Notebook folders as a stranger may send them, each made in the test. */
export interface StrangerFolder {
  readonly name: string;
  /** Writes into `dir`, which holds a notebook of one cell `c1` and an empty `.svc`. `victim`: the person's own folder. */
  readonly make: (dir: string, at: { readonly victim: string; readonly listener: string }) => void;
}

export const CELL = 'c1';

export interface PlacedStranger {
  readonly dir: string;
  /** A folder of the person's own, beside the notebook. */
  readonly victim: string;
}

/** Makes a notebook below the new folder `place`, with a person's folder that links may point at beside it. */
export function placeStranger(place: string, make: StrangerFolder['make'], listener: string): PlacedStranger {
  const victim = join(place, 'victim');
  mkdirSync(join(victim, 'letters'), { recursive: true });
  writeFileSync(join(victim, 'precious'), 'precious\n');
  for (let letter = 0; letter < 3; letter += 1)
    writeFileSync(join(victim, 'letters', `${letter}.json`), '{}');
  const dir = join(place, 'notebook');
  writeStranger(dir);
  make(dir, { victim, listener });
  return { dir, victim };
}

/** A notebook with one cell. @param toml lines before the cells */
export function writeStranger(dir: string, toml = ''): void {
  put(dir, 'notebook.toml', `notebook_id = "stranger"\nname = "Stranger"\n${toml}\n${cell(CELL)}`);
  put(dir, `cells/${CELL}.py`, 'x = 1\n');
  put(dir, 'pyproject.toml', project([]));
  mkdirSync(join(dir, '.svc'), { recursive: true });
}

function cell(id: string, file = `cells/${id}.py`, more = ''): string {
  return `[[cells]]\nid = "${id}"\nfile = "${file}"\norder = 0.0\n${more}\n`;
}

function project(dependencies: readonly string[], more = ''): string {
  return `[project]\nname = "e"\nversion = "0.1.0"\nrequires-python = ">=3.10"\ndependencies = ${JSON.stringify(dependencies)}\n${more}`;
}

function put(dir: string, path: string, text: string, mode = 0o644): void {
  mkdirSync(dirname(join(dir, path)), { recursive: true });
  writeFileSync(join(dir, path), text, { mode });
}

function link(dir: string, path: string, to: string): void {
  rmSync(join(dir, path), { recursive: true, force: true });
  mkdirSync(dirname(join(dir, path)), { recursive: true });
  symlinkSync(to, join(dir, path));
}

function program(dir: string, path: string, mark: string): void {
  put(dir, path, `#!/bin/sh\ntouch '${mark}'\n`, 0o755);
  chmodSync(join(dir, path), 0o755);
}

const json = (value: unknown): string => JSON.stringify(value);
const DEAD = { pid: 999_999, host: hostname(), startedAt: '', processStart: null };
const CUT = { id: CELL, run: 'r1', stdout: 'theirs '.repeat(2_000), stderr: '' };
const SYNC_NOTE = { lockBefore: 'theirs', projectBefore: 'theirs', isEdit: true, projectAfter: null };

const SIDECARS = [
  'runtime.json',
  'undo.json',
  'settings.json',
  'environment_jobs.json',
  'source_drafts.json',
  'test_drafts.json',
  'environment.json',
];

const damaged = SIDECARS.map(
  (file): StrangerFolder => ({
    name: `a damaged .svc/${file}`,
    make: (dir) => put(dir, `.svc/${file}`, '{"half":'),
  }),
);

const linkedFiles = [...SIDECARS, 'sync-in-progress.json', 'r-in-progress.json'].map(
  (file): StrangerFolder => ({
    name: `.svc/${file} as a link`,
    make: (dir, { victim }) => link(dir, `.svc/${file}`, join(victim, 'precious')),
  }),
);

const linkedFolders = [
  ...['running', 'history', 'tmp', 'artifacts', 'mount_cache', 'fetch', 'environment_files', 'deleted'],
  ...['console', 'logs'],
].map(
  (place): StrangerFolder => ({
    name: `.svc/${place} as a link`,
    make: (dir, { victim }) => link(dir, `.svc/${place}`, join(victim, 'letters')),
  }),
);

/** What a killed program left, which the next opening of a trusted folder puts right. */
const leftovers: readonly StrangerFolder[] = [
  {
    name: 'an environment job cut short, with its files as links',
    make: (dir, { victim }) => {
      link(dir, 'pyproject.toml', join(victim, 'precious'));
      link(dir, 'uv.lock', join(victim, 'autostart'));
      put(dir, '.svc/sync-in-progress.json', json(SYNC_NOTE));
    },
  },
  {
    name: 'an environment job cut short',
    make: (dir) => {
      put(dir, '.svc/sync-in-progress.json', json(SYNC_NOTE));
      mkdirSync(join(dir, '.svc/venv-0123abcd/bin'), { recursive: true });
    },
  },
  {
    name: 'an environment on its way out',
    make: (dir) => mkdirSync(join(dir, '.svc/venv-0123abcd-old/bin'), { recursive: true }),
  },
  {
    name: 'a job of R cut short',
    make: (dir) => {
      const note = { lockBefore: 'theirs', profileBefore: null, makesFolder: true, isInit: true };
      put(dir, '.svc/r-in-progress.json', json({ ...note, lockAfter: null, target: null, retired: null }));
      mkdirSync(join(dir, '.svc/r-0123abcd'), { recursive: true });
      put(dir, 'renv/activate.R', 'stop("theirs")');
    },
  },
  { name: 'a run cut short', make: (dir) => put(dir, '.svc/running/6331.json', json(CUT)) },
  {
    name: 'a run cut short, its console a link',
    make: (dir, { victim }) => {
      link(dir, '.svc/console', join(victim, 'letters'));
      put(dir, '.svc/running/6331.json', json(CUT));
    },
  },
  {
    name: 'halves of killed writes',
    make: (dir) => {
      for (const place of ['', 'cells/', '.svc/']) put(dir, `${place}.svc-tmp-0123456789ab`, 'half');
    },
  },
  { name: 'scratch of a run', make: (dir) => put(dir, '.svc/tmp/run/manifest.json', '{}') },
  {
    name: 'the lock of a dead program',
    make: (dir) => put(dir, '.svc/writer.lock', json({ ...DEAD, token: 'a' })),
  },
  { name: 'no .svc at all', make: (dir) => rmSync(join(dir, '.svc'), { recursive: true }) },
];

const typed: readonly StrangerFolder[] = [
  {
    name: 'a draft of tests, its file a link',
    make: (dir, { victim }) => {
      link(dir, `cells/${CELL}.test.py`, join(victim, 'authorized_keys'));
      put(dir, '.svc/test_drafts.json', json([{ cell_id: CELL, text: 'theirs\n', base: '' }]));
    },
  },
  {
    name: 'drafts of texts and tests',
    make: (dir) => {
      put(dir, '.svc/test_drafts.json', json([{ cell_id: CELL, text: 'theirs\n', base: '' }]));
      const draft = { cell_id: CELL, window: 'w1', text: 'theirs\n', base: 'x = 1\n' };
      put(dir, '.svc/source_drafts.json', json([draft]));
    },
  },
  {
    name: 'a cell file as a dangling link',
    make: (dir, { victim }) => link(dir, `cells/${CELL}.py`, join(victim, 'new-file')),
  },
  {
    name: 'a history with a damaged line',
    make: (dir) => put(dir, '.svc/history/6331.jsonl', 'no line of a history\n'),
  },
];

/** Programs that wait to be started by an unsuspecting server. */
const programs: readonly StrangerFolder[] = [
  {
    name: 'an interpreter of its own',
    make: (dir, { victim }) => {
      program(dir, '.venv/bin/python', join(victim, 'ran'));
      put(dir, '.venv/pyvenv.cfg', 'home = /usr/bin\nversion = 3.12.1\n');
      put(dir, 'sitecustomize.py', `open(${json(join(victim, 'ran'))}, 'w')\n`);
      put(
        dir,
        '.venv/lib/python3.12/site-packages/x.pth',
        `import os; open(${json(join(victim, 'ran'))}, 'w')\n`,
      );
    },
  },
  {
    name: 'a star import, which asks an interpreter for names',
    make: (dir, { victim }) => {
      program(dir, '.venv/bin/python', join(victim, 'ran'));
      put(dir, '.venv/pyvenv.cfg', 'home = /usr/bin\nversion = 3.12.1\n');
      put(dir, `cells/${CELL}.py`, 'from somewhere import *\n');
    },
  },
  {
    name: 'R cells, a profile and a locked library',
    make: (dir, { victim }) => {
      const marks = `file.create(${json(join(victim, 'ran'))})\n`;
      put(
        dir,
        'notebook.toml',
        `notebook_id = "r"\nname = "R"\n\n${cell('r1', 'cells/r1.r', 'language = "r"\n')}`,
      );
      put(dir, 'cells/r1.r', 'library(dplyr)\ny <- df |> mutate(a = b)\n');
      put(dir, '.Rprofile', marks);
      put(dir, 'renv/activate.R', marks);
      put(dir, 'renv.lock', json({ R: { Version: '4.3.0' }, Packages: {} }));
    },
  },
  {
    name: 'a package whose build runs code',
    make: (dir, { victim }) => {
      put(dir, 'pyproject.toml', project(['evil'], '\n[tool.uv.sources]\nevil = { path = "cells/evil" }\n'));
      put(
        dir,
        'cells/evil/setup.py',
        `open(${json(join(victim, 'ran'))}, 'w')\nfrom setuptools import setup\nsetup(name='evil', version='1')\n`,
      );
    },
  },
  {
    name: 'a repository with hooks',
    make: (dir, { victim }) => {
      put(dir, '.git/config', '[core]\n\tfsmonitor = ./cells/watch\n\thooksPath = ./cells\n');
      put(dir, '.git/HEAD', 'ref: refs/heads/main\n');
      program(dir, 'cells/watch', join(victim, 'ran'));
    },
  },
];

/** Requests to the network: the address is a server that records every call. */
const callers: readonly StrangerFolder[] = [
  {
    name: 'mounts, connections, a worker, a model and a secret manager elsewhere',
    make: (dir, { listener }) =>
      writeStranger(
        dir,
        [
          `worker = "far"`,
          `[ai]\nbase_url = "${listener}/v1"\nmodel = "m"\napi_key = "theirs"`,
          `[[mounts]]\nname = "m1"\nuri = "${listener}/data.csv"`,
          `[[workers]]\nname = "far"\nbackend = "executor"\nruntime_id = "r"\n[workers.config]\nurl = "${listener}"`,
          `[[connections]]\nname = "pg"\ndriver = "postgresql"\nhost = "127.0.0.1"\nport = ${new URL(listener).port}`,
          `[secret_manager]\nprovider = "infisical"\nproject_id = "p"\nbase_url = "${listener}"`,
          '',
        ].join('\n'),
      ),
  },
  {
    name: 'packages of an index of its own',
    make: (dir, { listener }) =>
      put(
        dir,
        'pyproject.toml',
        project(
          ['apple'],
          `\n[[tool.uv.index]]\nname = "theirs"\nurl = "${listener}/simple"\ndefault = true\n`,
        ),
      ),
  },
  {
    name: 'a cell that fetches, and a file pinned to an address',
    make: (dir, { listener }) => {
      put(dir, `cells/${CELL}.py`, `# @fetch data ${listener}/data.csv\nprint(data)\n`);
      put(dir, '.svc/fetch/index.json', json({ version: 1, entries: {} }));
    },
  },
];

export const STRANGER_FOLDERS: readonly StrangerFolder[] = [
  ...leftovers,
  ...typed,
  ...damaged,
  ...linkedFiles,
  ...linkedFolders,
  ...programs,
  ...callers,
];
