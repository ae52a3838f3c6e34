import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MASKED } from '../../../src-shared/wire/notebookState.ts';
import { notebookFolder } from '../folder/notebookFolder.ts';
import { type NotebookFiles, openNotebookFiles } from '../notebookFiles.ts';
import { secretValuesOf } from './sessionSecrets.ts';

let dir = notebookFolder('');
beforeEach(async () => {
  dir = notebookFolder(await mkdtemp(join(tmpdir(), 'secrets-')));
  await mkdir(join(dir, 'cells'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const HEAD = 'notebook_id = "n"\nupdated_at = 2020-01-01T00:00:00Z\n';
const onDisk = async () =>
  (await readFile(join(dir, 'notebook.toml'), 'utf8')).replace(/updated_at = .*/, 'updated_at = T');

async function opened(text: string): Promise<NotebookFiles> {
  await writeFile(join(dir, 'notebook.toml'), HEAD + text);
  return openNotebookFiles(dir);
}

/** A reference, as connections write them. */
const ref = (name: string) => `\${${name}}`;

const ENV = '\n[env]\nREGION = "eu"\nAPI_KEY = ""\nEMPTY = ""\n';
const FETCHED = {
  from: 'infisical',
  values: { API_KEY: 'from-far', EMPTY: 'filled', REGION: 'us', DB_URL: 'pg://x' },
};

describe('values of a secret manager', () => {
  it('[SE-4] fill missing and empty keys, never typed ones, and reach no file', async () => {
    const files = await opened(ENV);
    await files.fill(FETCHED);
    expect(files.file().env).toEqual({
      REGION: 'eu',
      API_KEY: 'from-far',
      EMPTY: 'filled',
      DB_URL: 'pg://x',
    });
    expect(files.file().fetchedFrom).toEqual({
      API_KEY: 'infisical',
      EMPTY: 'infisical',
      DB_URL: 'infisical',
    });
    await files.rename('M');
    expect(await onDisk()).toContain('[env]\nREGION = "eu"\nAPI_KEY = ""\nEMPTY = ""\n');
    expect(await onDisk()).not.toMatch(/from-far|filled|pg:/);
  });

  it('[SE-4] are replaced by later ones, and removed with the manager', async () => {
    const files = await opened(ENV);
    await files.fill(FETCHED);
    await files.fill({ from: 'infisical', values: { API_KEY: 'rotated' } });
    expect(files.file().env).toEqual({ REGION: 'eu', API_KEY: 'rotated', EMPTY: '' });
    await files.fill(null);
    expect([files.file().env, files.file().fetchedFrom]).toEqual([
      { REGION: 'eu', API_KEY: '', EMPTY: '' },
      {},
    ]);
  });

  it('[SE-4] a value written into the file by hand takes precedence as soon as it is read', async () => {
    const files = await opened(ENV);
    await files.fill(FETCHED);
    await writeFile(join(dir, 'notebook.toml'), `${HEAD}[env]\nDB_URL = "mine"\n`);
    await files.follow(null);
    expect([files.file().env['DB_URL'], files.file().fetchedFrom['DB_URL']]).toEqual(['mine', undefined]);
  });
});

describe('[SE-3] the variables a user sends back', () => {
  const rows: readonly {
    readonly name: string;
    readonly sent: Readonly<Record<string, string>>;
    readonly env: Readonly<Record<string, string>>;
    readonly fetched?: readonly string[];
    readonly toml: string;
  }[] = [
    {
      name: 'a masked value stays, on disk it is blank',
      sent: { REGION: 'eu', TOKEN: MASKED },
      env: { REGION: 'eu', TOKEN: 'typed' },
      toml: '[env]\nREGION = "eu"\nTOKEN = ""\n',
    },
    {
      name: 'a mask without a stored value is dropped',
      sent: { REGION: 'eu', OTHER: MASKED },
      env: { REGION: 'eu' },
      toml: '[env]\nREGION = "eu"\n',
    },
    {
      name: 'a new secret is only in memory, and a blank block is removed',
      sent: { TOKEN: 'new' },
      env: { TOKEN: 'new' },
      toml: '',
    },
    { name: 'without variables the block is removed', sent: {}, env: {}, toml: '' },
    {
      name: 'an unchanged value from a secret manager is not written',
      sent: { REGION: MASKED, FAR: MASKED, PLAIN: 'far-plain' },
      env: { REGION: 'eu', FAR: 'far', PLAIN: 'far-plain' },
      fetched: ['FAR', 'PLAIN'],
      toml: '[env]\nREGION = "eu"\n',
    },
    {
      name: 'a value from a secret manager that the user changed is the user’s',
      sent: { PLAIN: 'mine', FAR: 'mine-too' },
      env: { PLAIN: 'mine', FAR: 'mine-too' },
      fetched: [],
      toml: '[env]\nPLAIN = "mine"\nFAR = "mine-too"\n',
    },
    {
      name: 'an omitted value is fetched from the secret manager again',
      sent: { REGION: 'eu' },
      env: { REGION: 'eu', FAR: 'far', PLAIN: 'far-plain' },
      fetched: ['FAR', 'PLAIN'],
      toml: '[env]\nREGION = "eu"\n',
    },
    {
      name: 'an emptied secret is forgotten',
      sent: { TOKEN: '', REGION: '' },
      env: {},
      toml: '',
    },
  ];

  it.each(rows)('$name', async ({ sent, env, fetched, toml }) => {
    const files = await opened('\n[env]\nREGION = "eu"\nTOKEN = "typed"\n');
    if (fetched !== undefined)
      await files.fill({ from: 'infisical', values: { FAR: 'far', PLAIN: 'far-plain' } });
    await files.setEnv(sent);
    expect(files.file().env).toEqual(env);
    expect(Object.keys(files.file().fetchedFrom)).toEqual(fetched ?? []);
    const after = await onDisk();
    expect(after.replace(HEAD.replace(/updated_at = .*/, 'updated_at = T'), '').trim()).toBe(toml.trim());
    await files.rename('M');
    expect(files.file().env).toEqual(env);
  });
});

describe('[SE-2] text in the auth of a connection', () => {
  const CONNECTIONS = `
[connections.pg]
driver = "postgresql"
auth = { user = "ann", password = "in clear text", host = "\${PG_HOST}", both = "x\${PG}" }

[connections.bad]
auth = { password = 'stays byte for byte' }
`;

  it('is blanked by the next save and known as long as the notebook is open', async () => {
    const files = await opened(CONNECTIONS);
    const auth = { user: 'ann', password: 'in clear text', host: ref('PG_HOST'), both: `x${ref('PG')}` };
    expect(files.file().connections[0]?.auth).toEqual(auth);
    await files.rename('M');
    expect(await onDisk()).toContain(
      `auth = { user = "", password = "", host = "\${PG_HOST}", both = "" }\n\n[connections.bad]\nauth = { password = 'stays byte for byte' }\n`,
    );
    expect(files.file().connections[0]?.auth).toEqual(auth);
    expect(secretValuesOf(files.file())).toEqual(['ann', 'in clear text', `x${ref('PG')}`]);
    await files.close();
    const again = await openNotebookFiles(dir);
    expect(again.file().connections[0]?.auth).toEqual({
      user: '',
      password: '',
      host: ref('PG_HOST'),
      both: '',
    });
  });
});

it('[SE-10] what must never be shown: secret names, fetched values, keys, text in auth', async () => {
  const files = await opened(
    '\n[env]\nREGION = "eu"\nMY_TOKEN = "t-1"\n\n[ai]\napi_key = "ai-1"\n\n[[cells]]\nid = "a"\nfile = "cells/a.py"\nenv = { DB_PASSWORD = "p-1", MODE = "x" }\n',
  );
  await files.fill({ from: 'infisical', values: { PLAIN: 'f-1', REGION: 'us' } });
  expect(secretValuesOf(files.file()).toSorted()).toEqual(['ai-1', 'f-1', 'p-1', 't-1']);
});
