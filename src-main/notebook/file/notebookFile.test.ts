import { expect, test } from 'vitest';
import { parseNotebookToml } from './notebookFile.ts';

const HEAD = 'notebook_id = "nb"\n';
const CELL = '[[cells]]\nid = "a"\nfile = "cells/a.py"\n';

test('a file without settings gets every default', () => {
  expect(parseNotebookToml(`\ufeff${HEAD}`)).toEqual({
    notebookId: 'nb',
    name: 'Untitled Notebook',
    createdAt: null,
    updatedAt: null,
    worker: null,
    timeout: null,
    owner: null,
    env: {},
    fetchedFrom: {},
    ai: {},
    secretManager: null,
    mounts: [],
    workers: [],
    connections: [],
    malformedConnections: [],
    catalogs: {},
    variantGroups: [],
    r: {},
    cells: [],
    app: null,
  });
});

test('everything in the schema is read, in display order', () => {
  const file = parseNotebookToml(
    `
notebook_id = "nb"
name = "N"
created_at = 2026-01-02T03:04:05+02:00
updated_at = "2026-01-02T03:04:05Z"
worker = "w"
timeout = 5
owner = "o"
huge = 123456789012345678901
env = { A = "1" }
secret_manager = { provider = "p", other = "dropped" }
[ai]
model = "m"
[[mounts]]
name = "data"
uri = "file:///x"
options = { anon = true, since = 2026-01-01 }
[[workers]]
name = "w"
[connections.good]
driver = "sqlite"
path = "x.db"
[connections.driverless]
host = "h"
[connections.odd]
driver = "oracle"
[catalogs.main]
uri = "u"
[[variant_group]]
group = "g"
active = ""
mode = "either"
[[variant_group]]
group = "s"
active = "x"
mode = "sweep"
[[cells]]
id = "b"
file = "cells/sub/b.sql"
language = "sql"
order = 2
[cells.env]
B = "2"
[[cells.mounts]]
name = "m"
uri = "s3://b/p"
mode = "rw"
pin = "7"
credential = "c"
[[cells]]
id = "a"
file = "cells/a.py"
order = -1.5
timeout = 2.5
created_by = "x"
updated_by = "y"
`,
  );
  const cell = {
    language: 'python',
    worker: null,
    timeout: null,
    env: {},
    mounts: [],
    createdBy: null,
    updatedBy: null,
  };
  expect(file).toEqual({
    notebookId: 'nb',
    name: 'N',
    createdAt: '2026-01-02T01:04:05.000Z',
    updatedAt: '2026-01-02T03:04:05.000Z',
    worker: 'w',
    timeout: 5,
    owner: 'o',
    env: { A: '1' },
    fetchedFrom: {},
    ai: { model: 'm' },
    secretManager: { provider: 'p' },
    mounts: [
      {
        name: 'data',
        uri: 'file:///x',
        mode: 'ro',
        pin: null,
        options: { anon: true, since: '2026-01-01' },
        credential: null,
      },
    ],
    workers: [{ name: 'w', backend: 'local', runtime_id: null, config: {} }],
    connections: [{ name: 'good', driver: 'sqlite', path: 'x.db', auth: {}, options: {} }],
    malformedConnections: [
      { name: 'driverless', body: { host: 'h' }, error: 'missing driver' },
      {
        name: 'odd',
        body: { driver: 'oracle' },
        error: 'validation failed: driver must be one of duckdb, sqlite, postgresql, snowflake, bigquery',
      },
    ],
    catalogs: { main: { uri: 'u' } },
    variantGroups: [
      { group: 'g', active: '', mode: 'switch', invalidMode: 'either' },
      { group: 's', active: 'x', mode: 'sweep' },
    ],
    r: {},
    app: null,
    cells: [
      { ...cell, id: 'a', file: 'cells/a.py', order: -1.5, timeout: 2.5, createdBy: 'x', updatedBy: 'y' },
      {
        ...cell,
        id: 'b',
        file: 'cells/sub/b.sql',
        language: 'sql',
        order: 2,
        env: { B: '2' },
        mounts: [{ name: 'm', uri: 's3://b/p', mode: 'rw', pin: '7', options: {}, credential: 'c' }],
      },
    ],
  });
});

/** The text and the whole message: the file, the line, the problem. */
const broken: readonly (readonly [text: string, message: string])[] = [
  ['a = \n', 'notebook.toml:1: not valid TOML: invalid value'],
  [`${HEAD}a${'.a'.repeat(2_000)} = 1\n`, 'notebook.toml: tables are nested more than 100 levels deep'],
  ['name = "x"\n', 'notebook.toml: the key notebook_id is missing'],
  ['notebook_id = " "\n', 'notebook.toml:1: notebook_id must not be empty'],
  ['\nnotebook_id = 3\n', 'notebook.toml:2: notebook_id must be a string, not a number'],
  [`${HEAD}cells = "x"\n`, 'notebook.toml:2: cells must be an array of tables, not a string'],
  [`${HEAD}[env]\nA = "1"\nB = 2\n`, 'notebook.toml:4: env.B must be a string, not a number'],
  [`${HEAD}timeout = "5"\n`, 'notebook.toml:2: timeout must be a finite number, not a string'],
  [`${HEAD}created_at = "soon"\n`, 'notebook.toml:2: created_at must be a date and time, not a string'],
  [`${HEAD}${CELL}order = "1"\n`, 'notebook.toml:5: cells[0].order must be a finite number, not a string'],
  [
    `${HEAD}${CELL}language = "perl"\n`,
    'notebook.toml:5: cells[0].language must be one of python, prompt, markdown, sql, r, widget',
  ],
  [
    `${HEAD}${CELL}[[cells]]\nid = "a"\nfile = "cells/b.py"\n`,
    'notebook.toml:6: cells[1].id: the cell id "a" is already that of cells[0]',
  ],
  [
    `${HEAD}${CELL}[[cells]]\nid = "b"\nfile = "cells/a.py"\n`,
    'notebook.toml:7: cells[1].file: cells/a.py is already the file of cell "a"',
  ],
  [
    `${HEAD}${CELL}[[cells]]\nid = "b"\nfile = "cells/a.test.py"\n`,
    'notebook.toml:7: cells[1].file: cells/a.test.py holds the tests of cell "a"',
  ],
  [
    `${HEAD}[[cells]]\nid = "a\\tb"\nfile = "cells/a.py"\n`,
    'notebook.toml:3: cells[0].id: "a\\tb" cannot be a cell id (at most 256 characters, no control characters)',
  ],
  [
    `${HEAD}[[cells]]\nid = "a"\nfile = "cells/../../a.py"\n`,
    'notebook.toml:4: cells[0].file: "cells/../../a.py" must be a plain path without . or ..',
  ],
  [
    `${HEAD}[[cells]]\nid = "a"\nfile = "/etc/a"\n`,
    'notebook.toml:4: cells[0].file: "/etc/a" must be a plain path without . or ..',
  ],
  [
    `${HEAD}[[cells]]\nid = "a"\nfile = "sub/../../a.py"\n`,
    'notebook.toml:4: cells[0].file: "sub/../../a.py" must be a plain path without . or ..',
  ],
  [
    `${HEAD}[[cells]]\nid = "a"\nfile = 'cells\\a.py'\n`,
    'notebook.toml:4: cells[0].file: "cells\\\\a.py" contains a character that is not allowed in a cell file name',
  ],
  [`${HEAD}[[cells]]\nfile = "cells/a.py"\n`, 'notebook.toml:3: cells[0]: the key id is missing'],
  [
    `${HEAD}[[mounts]]\nname = "1x"\nuri = "u"\n`,
    'notebook.toml:3: mounts[0].name must match [a-zA-Z_][a-zA-Z0-9_]*',
  ],
  [
    `${HEAD}[[workers]]\nname = "w"\nbackend = "gpu"\n`,
    'notebook.toml:4: workers[0].backend must be "local" or "executor"',
  ],
];

for (const [text, message] of broken) {
  test(message, () => {
    expect(() => parseNotebookToml(text)).toThrow(
      expect.objectContaining({ name: 'NotebookFileError', message }),
    );
  });
}
