import { describe, expect, test } from 'vitest';
import { DIAGNOSTIC_SEVERITY, type DiagnosticCode } from '../../../src-shared/notebook/diagnostics.ts';
import { buildGraph, NO_GRAPH } from '../../../src-shared/notebook/graph.ts';
import type { Language } from '../../../src-shared/wire/cell.ts';
import { parseNotebookToml } from '../../notebook/file/notebookFile.ts';
import { analyzeCell, createAnalyzer } from '../analyzeCell.ts';
import { graphCell } from '../graphCell.ts';
import { diagnosticsOf } from './checks.ts';

/** The diagnostics of whole notebooks: each row is the source of a few cells and what the checks report for them. */

const analyzer = await createAnalyzer();

/** A notebook: language and source by cell id, and further lines of notebook.toml. */
interface NotebookText {
  readonly cells: Readonly<Record<string, readonly [language: Language, source: string]>>;
  readonly toml?: string;
  /** Lines of each cell's block. */
  readonly entry?: string;
}

/** Every diagnostic as `cell severity code line`. */
function diagnosticRows({ cells, toml = '', entry = '' }: NotebookText): readonly string[] {
  const blocks = Object.entries(cells).map(
    ([id, [language]], order) =>
      `[[cells]]\nid = "${id}"\nfile = "cells/${id}.x"\nlanguage = "${language}"\norder = ${order}\n${entry}`,
  );
  const file = parseNotebookToml(['notebook_id = "n"', toml, ...blocks].join('\n'));
  const checked = file.cells.map((entry) => {
    const source = cells[entry.id]?.[1] ?? '';
    const analysis = analyzeCell(analyzer, { language: entry.language, source });
    return { id: entry.id, entry, source, analysis };
  });
  const linked = buildGraph(
    checked.map(({ id, analysis }) => graphCell(id, analysis)),
    file.variantGroups,
  );
  const graph = linked.kind === 'graph' ? linked.graph : { ...NO_GRAPH, ...linked.variants };
  const notebook = { file, cells: new Map(checked.map((cell) => [cell.id, cell])), graph };
  return checked.flatMap((cell) =>
    diagnosticsOf(cell, notebook).map(({ severity, code, line }) => `${cell.id} ${severity} ${code} ${line}`),
  );
}

const py = (source: string): NotebookText => ({ cells: { a: ['python', source] } });
const cells = (a: string, b: string): NotebookText => ({ cells: { a: ['python', a], b: ['python', b] } });
const inSql = (source: string, toml?: string): NotebookText => ({
  cells: { a: ['sql', source] },
  ...(toml === undefined ? {} : { toml }),
});

/** Each row of annotations 1.3 that the text of a notebook shows, near misses, and worked example 18.5. */
const ROWS: readonly (readonly [name: string, notebook: NotebookText, expected: readonly string[]])[] = [
  ['no directives', py('x = 1'), []],
  ['loop without a bound', py('# @loop carry=x\nx = 1'), ['a error loop_missing_max_iter 1']],
  ['loop of 0', py('# @loop max_iter=0 carry=x\nx = 1'), ['a error loop_missing_max_iter 1']],
  ['loop without a carry', py('\n# @loop max_iter=2\nx = 1'), ['a error loop_missing_carry 2']],
  [
    'only an until',
    py('# @loop_until x > 1\nx = 1'),
    ['a error loop_missing_max_iter 1', 'a error loop_missing_carry 1'],
  ],
  [
    'until that is not an expression',
    py('# @loop max_iter=2 carry=x\n# @loop_until x >\nx = 1'),
    ['a error loop_until_syntax_error 2'],
  ],
  [
    'until that is a statement',
    py('# @loop max_iter=2 carry=x until=y=1\nx = 1'),
    ['a error loop_until_syntax_error 1'],
  ],
  [
    'until with an assignment and a comprehension',
    py('# @loop max_iter=2 carry=x\n# @loop_until (x := 3) and [i for i in x]\nx = 1'),
    [],
  ],
  [
    'start_from nowhere',
    py('# @loop max_iter=2 carry=x start_from=zz@iter=1\nx = 1'),
    ['a error loop_start_from_unknown 1'],
  ],
  [
    'start_from itself',
    py('# @loop max_iter=2 carry=x start_from=a@iter=1\nx = 1'),
    ['a error loop_start_from_unknown 1'],
  ],
  ['carry that is not assigned', py('# @loop max_iter=2 carry=y\nx = 1'), ['a warn loop_carry_unknown 1']],
  ['carry in a cell that defines nothing', py('# @loop max_iter=2 carry=y\nprint(y)'), []],
  [
    'two tables with the same name',
    py('# @table t ns.t\n# @table t ns.t\nt'),
    ['a error table_duplicate_name 1'],
  ],
  [
    'a table line that is ignored is not a duplicate',
    py('# @table t ns.t\n# @table t ns.t snapshot=x\nt'),
    [],
  ],
  ['table without a namespace', py('# @table t w#orders\nt'), ['a warn table_uri_malformed 1']],
  ['tables of every form', py('# @table t w#a.b\n# @table u c:a.b\n# @table v a.b.c\nt, u, v'), []],
  ['table the cell assigns', py('# @table t a.b\nt = 1'), ['a warn table_shadows_define 1']],
  ['undeclared worker', py('# @name n\n# @worker gpu\nx = 1'), ['a warn worker_unknown 2']],
  [
    'worker on another machine',
    { ...py('# @worker gpu\nx = 1'), toml: '[[workers]]\nname = "gpu"\nbackend = "executor"' },
    [],
  ],
  [
    'worker on this machine',
    { ...py('# @worker mine\nx = 1'), toml: '[[workers]]\nname = "mine"\nruntime_id = "r1"' },
    [],
  ],
  ['the local worker', py('# @worker local\nx = 1'), []],
  ['mount without a scheme', py('# @mount d data\nd'), ['a warn mount_uri_unsupported 1']],
  ['mount of another scheme', py('# @mount d ftp://x\nd'), ['a warn mount_uri_unsupported 1']],
  [
    'mounts of every scheme',
    py(
      '# @mount a file:///d\n# @mount b s3://b\n# @mount c gs://b\n# @mount d gcs://b\n# @mount e az://b\n# @mount f azure://b\na',
    ),
    [],
  ],
  ['a mount line that is ignored', py('# @mount 1x ftp://x\n# @mount d\nx = 1'), []],
  [
    'mount of the notebook',
    { ...py('# @mount d file:///cell\nd'), toml: '[[mounts]]\nname = "d"\nuri = "file:///all"' },
    ['a info mount_shadows_notebook 1'],
  ],
  [
    'example 18.5: timeout and env',
    py('# @timeout abc\n# @env foo'),
    ['a warn timeout_not_numeric 1', 'a warn env_malformed 2'],
  ],
  [
    'timeout of nothing',
    py('# @timeout\n# @timeout -1\n# @timeout 0'),
    ['a warn timeout_not_numeric 1', 'a warn timeout_not_numeric 2', 'a warn timeout_not_numeric 3'],
  ],
  ['env without a name', py('# @env =x'), ['a warn env_malformed 1']],
  [
    'example 18.5: fetch and dataset',
    py('# @fetch 1z x\n# @dataset d'),
    ['a warn fetch_unreadable 1', 'a warn dataset_unreadable 2'],
  ],
  ['fetch in markdown', { cells: { m: ['markdown', '# @fetch 1z x\n# @dataset d'] } }, []],
  ['variant of one word', { cells: { m: ['markdown', '# @variant g'] } }, ['m warn variant_malformed 1']],
  ['example 18.5: SQL alone', inSql('SELECT 1'), ['a error sql_connection_missing null']],
  ['SQL with an empty line', inSql('# @sql write=true\nSELECT 1'), ['a error sql_connection_missing 1']],
  [
    'SQL of an undeclared connection',
    inSql('# @sql connection=db\nSELECT 1'),
    ['a warn sql_connection_unknown 1'],
  ],
  [
    'connection without a driver',
    inSql('# @sql connection=db\nSELECT 1', '[connections.db]\npath = "x"'),
    ['a error connection_malformed 1'],
  ],
  [
    'connection of an unknown driver',
    inSql('# @sql connection=db\nSELECT 1', '[connections.db]\ndriver = "oracle"'),
    ['a error connection_driver_unknown 1'],
  ],
  [
    'password in clear text',
    inSql(
      '# @sql connection=db\nSELECT 1',
      `[connections.db]\ndriver = "postgresql"\n[connections.db.auth]\nuser = "\${PGUSER}"\npassword = "x\${PW}"`,
    ),
    ['a warn connection_auth_literal_secret 1'],
  ],
  ['a good connection', inSql('# @sql connection=db\nSELECT 1', '[connections.db]\ndriver = "sqlite"'), []],
  [
    'cache policies',
    inSql(
      '# @sql connection=db\n# @cache ttl=5\n# @cache forever\nSELECT 1',
      '[connections.db]\ndriver = "sqlite"',
    ),
    [],
  ],
  [
    'unknown cache policies',
    inSql(
      '# @cache ttl=x\n# @cache ttl=0\n# @cache Forever\n# @cache\n# @sql connection=db\nSELECT 1',
      '[connections.db]\ndriver = "sqlite"',
    ),
    [
      'a warn cache_ttl_invalid 1',
      'a warn cache_ttl_invalid 2',
      'a warn cache_policy_unknown 3',
      'a warn cache_policy_unknown 4',
    ],
  ],
  ['@cache in a Python cell', py('# @cache nope\nx = 1'), []],
  [
    'a schema that is not an object',
    { cells: { p: ['prompt', '# @output_schema [1]\nhi'] } },
    ['p warn prompt_output_schema_invalid 1'],
  ],
  ['a schema that is an object', { cells: { p: ['prompt', '# @output_schema {"type": "object"}\nhi'] } }, []],
  [
    'Python annotations in SQL',
    inSql(
      '# @timeout x\n# @env y\n# @worker z\n# @loop\n# @sql connection=db\nSELECT 1',
      '[connections.db]\ndriver = "sqlite"',
    ),
    [],
  ],
  ['a file read by a literal name', py('x = 1\ny = open("data/x.csv").read()'), ['a info untracked_read 2']],
  ['a file read in a cell that always runs', py('# @nocache\ny = open("x.csv").read()'), []],
  [
    'files of every reader',
    py(
      [
        'import pandas as pd, numpy as np, json, polars as pl',
        'from pathlib import Path',
        'pd.read_csv("a.csv")',
        'pd.read_parquet(path="a.parquet", columns=["x"])',
        'np.load("a.npy")',
        'json.load(open("a.json"))',
        'Path("a.txt").read_text()',
        'with (Path("d") / "b.bin").open("rb") as f: pass',
        'pl.scan_csv(Path("d", "c.csv"))',
        'def late():\n    return open(mode="r", file="late.txt")',
      ].join('\n'),
    ),
    [3, 4, 5, 6, 7, 8, 9, 11].map((line) => `a info untracked_read ${line}`),
  ],
  [
    'calls that read no file by a literal name',
    py(
      [
        'import pandas as pd, json',
        'open("out.csv", "w").write("a")',
        'open("log.txt", mode)',
        'pd.read_csv("https://h/x.csv")',
        'pd.read_csv(f"{folder}/x.csv")',
        'pd.read_html("<table></table>")',
        'json.loads("x.json")',
        'pd.read_csv(given)',
        'df.to_csv("made.csv")\npd.read_csv("made.csv")',
        'open("x", "a+")',
        'print("open")',
      ].join('\n'),
    ),
    [],
  ],
  [
    'a mount that contains the file',
    py('# @mount d file://./data\nopen("data/x.csv")\nopen("./data/sub/y.csv")\nopen("datax")'),
    ['a info untracked_read 4'],
  ],
  [
    'a mount of the notebook that is the file',
    { ...py('open("x.csv")'), toml: '[[mounts]]\nname = "x"\nuri = "file://./x.csv"' },
    [],
  ],
  [
    'a lambda that another cell reads, and one that no cell reads',
    { cells: { a: ['python', 'f = lambda q: q; g = lambda: 0'], b: ['python', 'f(1)'] } },
    ['a warn module_export_blocked null'],
  ],
  [
    'a function that reads values from above is fine, one that reads undefined names is not',
    {
      cells: {
        a: ['python', 'k = 2'],
        b: ['python', 'def f(): return k\ndef g(): return z'],
        c: ['python', 'f(), g()'],
      },
    },
    ['b warn module_export_blocked null'],
  ],
  ['[SO-170] set-up cell', cells('# @setup\nimport os', 'x = 1'), []],
  [
    '[SO-170] set-up cell below text',
    { cells: { m: ['markdown', '# Hi'], a: ['python', '# @setup\nx = 1'] } },
    [],
  ],
  [
    '[SO-170] set-up cell that is not first',
    cells('x = 1', '# @name s\n# @setup\ny = 1'),
    ['b warn setup_not_first 2'],
  ],
  ['[SO-170] second set-up cell', cells('# @setup\nx = 1', '# @setup\ny = 1'), ['b warn setup_duplicate 1']],
  [
    '[SO-170] second set-up cell when the first is not valid',
    cells('# @setup\n# @env A=1\nx = 1', '# @setup\ny = 1'),
    ['a warn setup_annotation 1', 'b warn setup_not_first 1'],
  ],
  [
    '[SO-170] set-up cell that is not Python',
    { cells: { a: ['r', '# @setup\nx <- 1'], b: ['prompt', '# @name p\n# @setup\nHi'] } },
    ['a warn setup_not_python 1', 'b warn setup_not_python 2'],
  ],
  ['[SO-170] Markdown that looks like a set-up cell', { cells: { a: ['markdown', '# @setup'] } }, []],
  [
    '[SO-170] set-up cell that waits for a cell',
    cells('# @setup\n# @after b\nx = 1', 'y = 1'),
    ['a warn setup_reads_cells 1'],
  ],
  ...[
    '# @env A=1',
    '# @mount m s3://b/p',
    '# @table t ns.t',
    '# @fetch f https://h/f',
    '# @dataset d sales',
    '# @variant g one',
  ].map((line): (typeof ROWS)[number] => [
    `[SO-170] set-up cell with ${line}`,
    py(`# @setup\n${line}\nx = 1`),
    ['a warn setup_annotation 1'],
  ]),
  [
    '[SO-170] set-up cell that is a loop',
    py('# @setup\n# @loop max_iter=2 carry=x\nx = 1'),
    ['a warn setup_annotation 1'],
  ],
  [
    '[SO-170] set-up cell with an environment variable',
    { ...py('# @setup\nx = 1'), entry: '[cells.env]\nA = "1"' },
    ['a warn setup_annotation 1'],
  ],
  [
    '[SO-170] set-up cell with settings that affect only its own run',
    py('# @setup\n# @name s\n# @timeout 5\n# @nocache\n# @app hide\nx = 1'),
    [],
  ],
  [
    '[SO-171] seed in a set-up cell',
    cells('# @setup\nimport random\nrandom.seed(1)', 'import random\nrandom.seed(2)'),
    ['a info setup_seed 3'],
  ],
  ['annotations that need no diagnostic', py('# @after nobody\n# @mount 9 x\n# @table 9 x\nx = 1'), []],
];

/** Codes that other tests cover, and where. */
const ELSEWHERE: Readonly<Partial<Record<DiagnosticCode, string>>> = {
  keeps_earlier_value: 'keptValues',
  variant_active_redundant: 'variants',
  per_variant_group_of_one: 'variants',
  variant_contract_mismatch: 'variants',
  variant_mode_invalid: 'variants',
  variant_active_unknown: 'variants',
  per_variant_on_variant_member: 'variants',
  per_variant_unknown_group: 'variants',
  per_variant_no_sweep_source: 'variants',
  per_variant_ambiguous_group: 'variants',
  sql_parse_error: 'sqlText',
  sql_analysis_failed: 'sqlText',
  sql_dynamic_table: 'sqlText',
  sql_table_not_kept: 'sqlText',
  widget_invalid: 'controls',
  widget_bad_range: 'controls',
  widget_default_out_of_range: 'controls',
  widget_default_not_an_option: 'controls',
  widget_argument_unknown: 'controls',
  private_name: 'unseen',
  names_in_text: 'unseen',
  hidden_define: 'unseen',
  star_import: 'unseen',
  magic_line: 'unseen',
  asks_for_input: 'unseen',
  reads_source: 'unseen',
  lists_subclasses: 'unseen',
  changes_shared_object: 'sharedObjects',
};

describe('[AN-4] [AN-5] diagnostics of a notebook', () => {
  test.each(ROWS)('%s', (_name, notebook, expected) => {
    expect(diagnosticRows(notebook)).toEqual(expected);
  });

  test('every code of the table has a row here or a test elsewhere', () => {
    const rows = new Set(ROWS.flatMap(([, , expected]) => expected.map((line) => line.split(' ')[2])));
    const missing = Object.keys(DIAGNOSTIC_SEVERITY).filter(
      (code) => !rows.has(code) && !Object.hasOwn(ELSEWHERE, code),
    );
    const twice = Object.keys(ELSEWHERE).filter((code) => rows.has(code));
    expect({ missing, twice }).toEqual({ missing: [], twice: [] });
  });
});
