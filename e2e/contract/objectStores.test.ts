/**
 * Tests mounts of each cloud's buckets through the built server and the vendor's own client, against an object server
 * on this machine.
 */

import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { unsetVariablesText } from '../../src-main/mount/credentials.ts';
import { type LongTest, longTest, rowsOfRun } from '../support/longRun.ts';
import { OBJECT_SERVERS, type ObjectScheme, type ObjectServer } from '../support/objectServers.ts';
import { type OpenNotebook, openNotebook } from '../support/openNotebook.ts';
import { rest } from '../support/rest.ts';
import { type ServerProcess, startServerProcess } from '../support/serverProcess.ts';

describe.for(Object.keys(OBJECT_SERVERS) as ObjectScheme[])('a bucket of %s', (scheme) => {
  const { missing, words, start } = OBJECT_SERVERS[scheme];
  /** Skipped where the server is not installed: `npm test` installs it. */
  describe.skipIf(missing !== null)(missing ?? 'on a server of this machine', () => {
    let root = '';
    let cloud: ObjectServer;
    let server: ServerProcess;
    beforeAll(async () => {
      root = await mkdtemp(join(tmpdir(), `cellar-${scheme}-`));
      cloud = await start();
      await cloud.createBucket('lake');
      server = await startServerProcess({
        grants: [root],
        env: {
          SVC_NOTEBOOK_CREDENTIALS: JSON.stringify({
            lab: inVariables(cloud.credential),
            stranger: cloud.wrong,
            unset: { secret: `\${NOT_SET_ANYWHERE}` },
          }),
          SVC_NOTEBOOK_MOUNT_CREDENTIALS: JSON.stringify({ [scheme]: 'lab' }),
          ...variablesOf(cloud.credential),
        },
      });
    });
    afterAll(async () => {
      await server.dispose();
      await cloud.stop();
      await rm(root, { recursive: true, force: true });
    });

    /** Behaviour that does not depend on the vendor's client is tested with only one cloud in a normal run. */
    const ofOneCloud: LongTest =
      scheme === 's3'
        ? it
        : longTest('e2e/contract/objectStores.test.ts', 'src-main/mount/remote/objectServers.test.ts');

    const at = (path: string) => `${scheme}://${path}`;
    const reader = (uri: string) =>
      `# @mount raw ${uri}\nrows = {p.name: p.read_text() for p in raw.iterdir()}\nprint(rows)`;
    const reading = async (uri: string) =>
      openNotebook(server, await mkdtemp(join(root, 'reading-')), [{ id: 'reader01', source: reader(uri) }]);

    it('[MT-16] [MT-5] [MT-11] is mounted as a folder; its cell is a hit while it is unchanged, also after reopening', async () => {
      await cloud.put('lake', 'one/a.csv', '1');
      await cloud.put('lake', 'one/b.csv', '2');
      const open = await openNotebook(server, join(root, 'reading'), [
        { id: 'reader01', source: reader(at('lake/one')) },
        { id: 'count001', source: 'print(len(rows))' },
      ]);
      expect((await open.execute('count001')).stdout).toBe('2\n');
      expect((await open.execute('reader01')).cache_hit).toBe(true);
      await cloud.put('lake', 'one/c.csv', '3');
      expect(await open.execute('reader01')).toMatchObject({ cache_hit: false });
      expect((await open.execute('count001')).stdout).toBe('3\n');
      await cloud.put('lake', 'one/c.csv', '4');
      expect((await open.execute('reader01')).stdout).toContain("'c.csv': '4'");
      await open.close();
      const again = await openNotebook(server, open.path);
      expect((await again.execute('reader01')).cache_hit).toBe(true);
      await again.close();
      await expectNoSecret(again);
    });

    ofOneCloud(
      '[MT-13] is read through a copy under .svc/mount_cache that no cell can write to',
      async () => {
        await cloud.put('lake', 'copied/a', 'whole');
        const open = await reading(at('lake/copied'));
        expect((await open.execute('reader01')).stdout).toBe("{'a': 'whole'}\n");
        const source = `# @mount raw ${at('lake/copied')}\nprint('mount_cache' in raw.parts, oct((raw / 'a').stat().st_mode)[-3:])`;
        await open.edit('reader01', source);
        expect((await open.execute('reader01')).stdout).toBe('True 444\n');
        await open.close();
      },
    );

    ofOneCloud('[MT-5] with a pin uses the pinned content, even if the source has changed', async () => {
      await cloud.put('lake', 'pinned/a', '1');
      const open = await openNotebook(server, join(root, 'pinning'), [
        { id: 'reader01', source: 'print({p.name: p.read_text() for p in raw.iterdir()})' },
      ]);
      const pinTo = async (pin: string): Promise<void> => {
        const mount = { name: 'raw', uri: at('lake/pinned'), mode: 'ro', pin, credential: null, options: {} };
        const set = await rest(server.url, 'PUT', `/v1/notebooks/${open.sid}/mounts`, { mounts: [mount] });
        expect(set.status).toBe(200);
      };
      await pinTo('v1');
      expect((await open.execute('reader01')).stdout).toBe("{'a': '1'}\n");
      await cloud.put('lake', 'pinned/a', '2');
      expect(await open.execute('reader01')).toMatchObject({ cache_hit: true, stdout: "{'a': '1'}\n" });
      await pinTo('v2');
      expect(await open.execute('reader01')).toMatchObject({ cache_hit: false, stdout: "{'a': '2'}\n" });
      await open.close();
    });

    const writing = (text: string) =>
      `# @mount out ${at('lake/made')} rw credential=lab\n(out / 'sub').mkdir(exist_ok=True)\n(out / 'sub/x.txt').write_text('${text}')\n`;

    it('[MT-16] [MT-8] is written after the cell succeeds, and not after it fails', async () => {
      const open = await openNotebook(server, join(root, 'writing'), [
        { id: 'writer01', source: `${writing('no')}raise ValueError('no')` },
      ]);
      expect((await open.execute('writer01')).status).toBe('error');
      await expect(cloud.get('lake', 'made/sub/x.txt')).rejects.toThrow();
      await open.edit('writer01', writing('yes'));
      expect(await open.execute('writer01')).toMatchObject({ status: 'ready', error: null });
      expect(await cloud.get('lake', 'made/sub/x.txt')).toBe('yes');
      await open.close();
    });

    ofOneCloud(
      '[MT-8] that is deleted during a run fails the cell with a message, and works again once restored',
      async () => {
        await cloud.createBucket('brief');
        const gate = join(root, 'gate');
        const source = `# @mount out ${at('brief/made')} rw\n# @timeout 60\nimport pathlib, time\n(out / 'x').write_text('1')\nprint('waiting', flush=True)\nwhile not pathlib.Path(${JSON.stringify(gate)}).exists(): time.sleep(0.02)\n`;
        const open = await openNotebook(server, join(root, 'vanishing'), [{ id: 'writer01', source }]);
        const running = open.execute('writer01');
        await expect.poll(async () => (await open.cell('writer01')).status).toBe('running');
        await expect
          .poll(async () => (await open.get<string>('/x/cells/writer01/log')).body)
          .toContain('waiting');
        await cloud.deleteBucket('brief');
        await writeFile(gate, '');
        const answer = await running;
        expect(answer.status).toBe('error');
        expect(answer.error).toBe(
          `What the cell wrote to the mount \`out\` could not be written back. There is no ${at('brief/made/x')} (${words.noBucket}). 0 of 1 changed files were written back before that.`,
        );
        await cloud.createBucket('brief');
        expect((await open.execute('writer01')).status).toBe('ready');
        expect(await cloud.get('brief', 'made/x')).toBe('1');
        await open.close();
      },
    );

    it('[MT-6] [MT-15] that is deleted between two runs fails its cell with a message', async () => {
      await cloud.createBucket('gone');
      await cloud.put('gone', 'x/a', '1');
      const open = await reading(at('gone/x'));
      await open.execute('reader01');
      await cloud.deleteBucket('gone');
      expect((await open.execute('reader01')).error).toBe(
        `The mount \`raw\` cannot be used. There is no ${at('gone/x')} (${words.noBucket}).`,
      );
      await open.close();
    });

    /** `isOfCellar`: the cloud is not asked, or answers with an empty list. */
    const FAILING: readonly {
      readonly path: string;
      readonly messageFor: (uri: string) => string;
      readonly isOfCellar?: true;
    }[] = [
      { path: 'lake/nothing', messageFor: (uri) => `There is nothing at ${uri}.`, isOfCellar: true },
      { path: 'nowhere/x', messageFor: (uri) => `There is no ${uri} (${words.noBucket}).` },
      {
        path: 'lake/one credential=stranger',
        messageFor: (uri) => `${uri} cannot be listed with this credential (${words.refused}).`,
      },
      {
        path: 'lake/one credential=gone',
        messageFor: () => 'This server defines no credential "gone" (SVC_NOTEBOOK_CREDENTIALS).',
        isOfCellar: true,
      },
      {
        path: 'lake/one credential=unset',
        messageFor: () =>
          `The credential "unset" needs NOT_SET_ANYWHERE, ${unsetVariablesText(new Set(['NOT_SET_ANYWHERE']))}`,
        isOfCellar: true,
      },
    ];
    it.for(rowsOfRun(FAILING, ({ isOfCellar = false }) => scheme === 's3' || !isOfCellar))(
      '[MT-16] [MT-11] $path fails its cell with a message',
      async ({ path, messageFor }) => {
        const open = await reading(at(path));
        const uri = at(path.split(' ')[0] ?? '');
        expect((await open.execute('reader01')).error).toBe(
          `The mount \`raw\` cannot be used. ${messageFor(uri)}`,
        );
        await open.close();
      },
    );

    // The clients of gs and az repeat the request for seconds; src-main/mount/remote/objectServers.test.ts has all clouds.
    ofOneCloud(
      '[MT-6] of a stopped server fails its cell, which is a hit again once the server is back with unchanged data',
      async () => {
        await cloud.put('lake', 'steady/a', '1');
        const open = await reading(at('lake/steady'));
        await open.execute('reader01');
        await open.close();
        const toml = await readFile(join(open.path, 'notebook.toml'), 'utf8');
        const nowhere = `[[mounts]]\nname = "other"\nuri = "${at('lake/steady')}"\n[mounts.options]\nendpoint_url = "http://127.0.0.1:9"\n\n`;
        await writeFile(join(open.path, 'notebook.toml'), toml.replace('[[cells]]', `${nowhere}[[cells]]`));
        const broken = await openNotebook(server, open.path);
        expect((await broken.execute('reader01')).error).toContain('cannot be listed now: ECONNREFUSED');
        await broken.close();
        await writeFile(join(open.path, 'notebook.toml'), toml);
        const again = await openNotebook(server, open.path);
        expect((await again.execute('reader01')).cache_hit).toBe(true);
        await again.close();
      },
    );

    /** No file of the notebook and no line of the log contains the secret of the credential. */
    async function expectNoSecret(open: OpenNotebook): Promise<void> {
      const names = await readdir(open.path, { recursive: true, withFileTypes: true });
      for (const entry of names.filter((one) => one.isFile())) {
        const bytes = await readFile(join(entry.parentPath, entry.name));
        expect([entry.name, bytes.includes(cloud.secret)]).toEqual([entry.name, false]);
      }
      expect(server.stderr()).not.toContain(cloud.secret);
    }
  });
});

/** A credential with each value replaced by a reference to a variable of the server. */
function inVariables(fields: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(Object.keys(fields).map((name) => [name, `\${LAB_${name.toUpperCase()}}`]));
}

function variablesOf(fields: Readonly<Record<string, unknown>>): Record<string, string> {
  const text = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [`LAB_${name.toUpperCase()}`, text(value)]),
  );
}
