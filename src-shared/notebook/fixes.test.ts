import { describe, expect, it } from 'vitest';
import { type DiagnosticCode, diagnose } from './diagnostics.ts';
import { type FixedCell, fixOf } from './fixes.ts';

const CELL: FixedCell = { defines: ['state', 'x'], references: ['x'] };

/** Source, code, line, subject → the fix and the resulting source; null: no obvious fix. */
const ROWS: readonly (readonly [
  string,
  DiagnosticCode,
  number | null,
  string | undefined,
  readonly [string, string] | null,
])[] = [
  [
    'a = 1\nb = open("data/trips 24.csv")',
    'untracked_read',
    2,
    'data/trips 24.csv',
    [
      'Make this a mount: trips_24',
      '# @mount trips_24 file://./data/trips%2024.csv\na = 1\nb = open(trips_24)',
    ],
  ],
  [
    "# @name n\r\nx = pd.read_csv('x.csv', sep=',')\r\n",
    'untracked_read',
    2,
    'x.csv',
    [
      'Make this a mount: x_2',
      "# @name n\r\n# @mount x_2 file://./x.csv\r\nx = pd.read_csv(x_2, sep=',')\r\n",
    ],
  ],
  [
    '# @name n\n# @setup\nx = 1',
    'setup_not_first',
    2,
    undefined,
    ['Make this a normal cell', '# @name n\nx = 1'],
  ],
  ['Path("a") / "b.csv"', 'untracked_read', 1, 'a/b.csv', null],
  ['open("/etc/hosts")', 'untracked_read', 1, '/etc/hosts', null],
  [
    '# @loop carry=x\nx = 1',
    'loop_missing_max_iter',
    1,
    undefined,
    ['Add max_iter=10', '# @loop carry=x max_iter=10\nx = 1'],
  ],
  [
    '# @loop max_iter=0 carry=x\nx = 1',
    'loop_missing_max_iter',
    1,
    undefined,
    ['Add max_iter=10', '# @loop carry=x max_iter=10\nx = 1'],
  ],
  [
    '# @loop_until x > 1\nx = 1',
    'loop_missing_max_iter',
    1,
    undefined,
    ['Add max_iter=10', '# @loop_until x > 1\n# @loop max_iter=10\nx = 1'],
  ],
  [
    '# @loop max_iter=3\nx = x',
    'loop_missing_carry',
    1,
    undefined,
    ['Add carry=x', '# @loop max_iter=3 carry=x\nx = x'],
  ],
  [
    '# @loop max_iter=3 carry=x start_from=q@iter=1',
    'loop_start_from_unknown',
    1,
    'q',
    ['Remove start_from', '# @loop max_iter=3 carry=x'],
  ],
  [
    '# @loop max_iter=3 carry=x\n# @loop_until x >',
    'loop_until_syntax_error',
    2,
    'x >',
    ['Remove the line', '# @loop max_iter=3 carry=x\n'],
  ],
  [
    '# @loop max_iter=3 carry=x until=)',
    'loop_until_syntax_error',
    1,
    ')',
    ['Remove until', '# @loop max_iter=3 carry=x'],
  ],
  [
    '# @mount d data\nd',
    'mount_uri_unsupported',
    1,
    'data',
    ['Change to file://./data', '# @mount d file://./data\nd'],
  ],
  ['# @mount d ftp://x\nd', 'mount_uri_unsupported', 1, 'ftp://x', null],
  [
    '# @table t w#orders\nt',
    'table_uri_malformed',
    1,
    'w#orders',
    ['Use the namespace default', '# @table t w#default.orders\nt'],
  ],
  [
    '# @table t a.b\n# @table t a.c\nt\n',
    'table_duplicate_name',
    1,
    't',
    ['Keep only the first line', '# @table t a.b\nt\n'],
  ],
  ['# @worker gpu\nx', 'worker_unknown', 1, undefined, ['Run on this machine', 'x']],
  ['# @timeout abc\r\nx', 'timeout_not_numeric', 1, undefined, ['Remove the line', 'x']],
  ['SELECT 1', 'sql_connection_missing', null, undefined, null],
  ['x', 'worker_unknown', null, undefined, null],
];

describe('[AN-9] the obvious fix of a fault', () => {
  it.each(ROWS)('%j: %s', (source, code, line, subject, expected) => {
    const fix = fixOf(source, diagnose(code, 'words', line, subject), CELL);
    expect(fix === null ? null : [fix.title, fix.source]).toEqual(expected);
  });
});
