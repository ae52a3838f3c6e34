import { expect, test } from 'vitest';
import type { Connection } from '../../notebook/file/connectionBlocks.ts';
import { notebookFolder } from '../../notebook/folder/notebookFolder.ts';
import { resolveConnection } from './resolveConnection.ts';

const SOURCES = { named: null, byScheme: null, notebookEnv: () => ({}), serverEnv: {} };
const NOTEBOOK = { uri: 'http://notebook' };
const SERVER = { uri: 'http://server' };

/** Who defines the catalog, on a server of one user or of several, and which of them is attached. */
const ROWS: readonly (readonly [
  notebook: object,
  server: object,
  confined: boolean,
  found: string | RegExp,
])[] = [
  [{ lake: NOTEBOOK }, {}, false, 'http://notebook'],
  [{}, { lake: SERVER }, false, 'http://server'],
  [{ lake: NOTEBOOK }, { lake: SERVER }, false, 'http://notebook'],
  [
    {},
    {},
    false,
    /"lake", which is not defined in notebook\.toml or on the server, and is not attached in the Data panel\.$/,
  ],
  [{ lake: NOTEBOOK }, { lake: SERVER }, true, 'http://server'],
  [
    { lake: NOTEBOOK },
    {},
    true,
    /"lake", which this server does not define\. A shared server ignores catalogs/,
  ],
];

const ATTACHED = {
  catalogs: { lake: { uri: 'http://attached' }, empty: {} },
  problems: { sealed: 'Type it again.' },
};

test.each<[string, object, boolean, string | RegExp]>([
  ['lake', {}, false, 'http://attached'],
  ['lake', { lake: SERVER }, false, 'http://server'],
  ['lake', {}, true, /which this server does not define/],
  ['sealed', {}, false, /^Type it again\.$/],
  ['empty', {}, false, /is not attached in the Data panel/],
])(
  '[SQ-43] [DP-106] an attached catalog %s with %j (confined: %s) is %s',
  (catalog, server, confined, expected) => {
    const resolved = resolveConnection(
      { name: 'db', driver: 'duckdb', catalog, auth: {}, options: {} },
      SOURCES,
      {
        notebookDir: notebookFolder('/nb'),
        mounts: {},
        confined,
        catalogs: { notebook: {}, server: { ...server }, attached: ATTACHED },
      },
    );
    if (typeof expected === 'string') {
      expect(resolved).toMatchObject({
        settings: { catalog: { name: catalog, properties: { uri: expected } } },
      });
    } else expect(resolved).toEqual({ problem: expect.stringMatching(expected) });
  },
);

test.each(ROWS)(
  '[SQ-43] with the catalogs %j of the notebook and %j of the server (confined: %s) the catalog is %s',
  (notebook, server, confined, expected) => {
    const connection: Connection = { name: 'db', driver: 'duckdb', catalog: 'lake', auth: {}, options: {} };
    const resolved = resolveConnection(connection, SOURCES, {
      notebookDir: notebookFolder('/nb'),
      mounts: {},
      catalogs: { notebook: { ...notebook }, server: { ...server } },
      confined,
    });
    if (typeof expected === 'string') {
      expect(resolved).toMatchObject({ settings: { confined, catalog: { properties: { uri: expected } } } });
    } else {
      expect(resolved).toEqual({ problem: expect.stringMatching(expected) });
    }
  },
);
