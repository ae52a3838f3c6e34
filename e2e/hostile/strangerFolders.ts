/** Notebook folders such as a stranger may send (links, programs, damaged files), for tests of hostile input. */

import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';

/** A notebook folder such as a stranger may send, created by the test. */
export interface StrangerFolder {
  readonly name: string;
  /** Changes `dir`, a notebook of one cell `c1` with an empty `.svc`. `victim` is a folder of the user. */
  readonly make: (dir: string, at: { readonly victim: string; readonly listener: string }) => void;
}

export const CELL = 'c1';

export interface PlacedStranger {
  readonly dir: string;
  /** A folder of the user, beside the notebook. */
  readonly victim: string;
}

/** Makes a notebook in the new folder `place`, and beside it a folder of the user that links may point to. */
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

/** Writes a notebook with one cell. @param toml lines before the cells */
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

/** What a killed program left behind, which the next opening of a trusted folder cleans up. */
const leftovers: readonly StrangerFolder[] = [
  {
    name: 'an interrupted environment job whose files are links',
    make: (dir, { victim }) => {
      link(dir, 'pyproject.toml', join(victim, 'precious'));
      link(dir, 'uv.lock', join(victim, 'autostart'));
      put(dir, '.svc/sync-in-progress.json', json(SYNC_NOTE));
    },
  },
  {
    name: 'an interrupted environment job',
    make: (dir) => {
      put(dir, '.svc/sync-in-progress.json', json(SYNC_NOTE));
      mkdirSync(join(dir, '.svc/venv-0123abcd/bin'), { recursive: true });
    },
  },
  {
    name: 'an old environment that was not deleted yet',
    make: (dir) => mkdirSync(join(dir, '.svc/venv-0123abcd-old/bin'), { recursive: true }),
  },
  {
    name: 'an interrupted R job',
    make: (dir) => {
      const note = { lockBefore: 'theirs', profileBefore: null, makesFolder: true, isInit: true };
      put(dir, '.svc/r-in-progress.json', json({ ...note, lockAfter: null, target: null, retired: null }));
      mkdirSync(join(dir, '.svc/r-0123abcd'), { recursive: true });
      put(dir, 'renv/activate.R', 'stop("theirs")');
    },
  },
  { name: 'an interrupted run', make: (dir) => put(dir, '.svc/running/6331.json', json(CUT)) },
  {
    name: 'an interrupted run whose console is a link',
    make: (dir, { victim }) => {
      link(dir, '.svc/console', join(victim, 'letters'));
      put(dir, '.svc/running/6331.json', json(CUT));
    },
  },
  {
    name: 'temporary files of interrupted writes',
    make: (dir) => {
      for (const place of ['', 'cells/', '.svc/']) put(dir, `${place}.svc-tmp-0123456789ab`, 'half');
    },
  },
  { name: 'scratch files of a run', make: (dir) => put(dir, '.svc/tmp/run/manifest.json', '{}') },
  {
    name: 'the lock of a dead program',
    make: (dir) => put(dir, '.svc/writer.lock', json({ ...DEAD, token: 'a' })),
  },
  { name: 'no .svc folder', make: (dir) => rmSync(join(dir, '.svc'), { recursive: true }) },
];

const typed: readonly StrangerFolder[] = [
  {
    name: 'a draft of tests whose file is a link',
    make: (dir, { victim }) => {
      link(dir, `cells/${CELL}.test.py`, join(victim, 'authorized_keys'));
      put(dir, '.svc/test_drafts.json', json([{ cell_id: CELL, text: 'theirs\n', base: '' }]));
    },
  },
  {
    name: 'drafts of sources and tests',
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

/** Folders with programs that a careless server would start. */
const programs: readonly StrangerFolder[] = [
  {
    name: 'an interpreter in the folder',
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
    name: 'a star import, whose names only an interpreter knows',
    make: (dir, { victim }) => {
      program(dir, '.venv/bin/python', join(victim, 'ran'));
      put(dir, '.venv/pyvenv.cfg', 'home = /usr/bin\nversion = 3.12.1\n');
      put(dir, `cells/${CELL}.py`, 'from somewhere import *\n');
    },
  },
  {
    name: 'R cells, an R profile and a locked library',
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
    name: 'a Git repository with hooks',
    make: (dir, { victim }) => {
      put(dir, '.git/config', '[core]\n\tfsmonitor = ./cells/watch\n\thooksPath = ./cells\n');
      put(dir, '.git/HEAD', 'ref: refs/heads/main\n');
      program(dir, 'cells/watch', join(victim, 'ran'));
    },
  },
];

/** Folders with URLs of a server that records every request. */
const callers: readonly StrangerFolder[] = [
  {
    name: 'mounts, connections, a worker, a model and a secret manager at an address',
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
    name: 'packages from the notebook’s own index',
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
    name: 'a cell that fetches a file, and a pinned file',
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
