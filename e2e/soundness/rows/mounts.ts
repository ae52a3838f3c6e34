import type { Row } from './row.ts';

/** Rows of the soundness test: cells that read files of a mount, which change. */
export const MOUNTS: readonly Row[] = [
  {
    name: 'mounted-folder-read',
    files: { 'data/a.txt': 'one' },
    mounts: { raw: 'data' },
    cells: ["t = (raw / 'a.txt').read_text()", 'print(t)'],
    steps: [{ file: ['data/a.txt', 'two'] }],
  },
  {
    name: 'mounted-file-read',
    files: { 'data/a.txt': 'one' },
    mounts: { raw: 'data/a.txt' },
    cells: ['t = raw.read_text()', 'print(t)'],
    steps: [{ file: ['data/a.txt', 'two'] }, { file: ['data/a.txt', 'one'] }],
  },
  {
    name: 'mount-path-passed-on',
    files: { 'data/a.txt': 'one' },
    mounts: { raw: 'data' },
    cells: ["p = raw / 'a.txt'", 'print(p.read_text())'],
    steps: [{ file: ['data/a.txt', 'two'] }],
  },
  {
    name: 'mount-path-passed-on-as-string',
    files: { 'data/a.txt': 'one' },
    mounts: { raw: 'data' },
    cells: ["p = str(raw / 'a.txt')", 'print(open(p).read())'],
    steps: [{ file: ['data/a.txt', 'two'] }],
  },
  {
    name: 'mount-path-list-passed-on',
    files: { 'data/a.txt': 'one' },
    mounts: { raw: 'data' },
    cells: ["ps = [raw / 'a.txt']", 'print([p.read_text() for p in ps])'],
    steps: [{ file: ['data/a.txt', 'two'] }],
  },
  {
    name: 'mount-names-passed-on',
    files: { 'data/a.txt': 'one' },
    mounts: { raw: 'data' },
    cells: ['names = sorted(p.name for p in raw.iterdir())', 'print(names)'],
    steps: [{ file: ['data/b.txt', 'two'] }],
  },
  {
    name: 'mount-in-function',
    files: { 'data/a.txt': 'one' },
    mounts: { raw: 'data' },
    cells: ["def load(d):\n    return (d / 'a.txt').read_text()", 't = load(raw)', 'print(t)'],
    steps: [{ file: ['data/a.txt', 'two'] }],
  },
  {
    name: 'mount-pointed-elsewhere',
    files: { 'data/a.txt': 'one', 'other/a.txt': 'two' },
    mounts: { raw: 'data' },
    cells: ["t = (raw / 'a.txt').read_text()", 'print(t)'],
    steps: [{ mounts: { raw: 'other' } }, { mounts: { raw: 'data' } }],
  },
  {
    name: 'mount-with-equal-names-elsewhere',
    files: { 'data/a.txt': 'one', 'other/a.txt': 'two' },
    mounts: { raw: 'data' },
    cells: ["p = raw / 'a.txt'\nname = p.name", 'print(name, p.read_text())'],
    steps: [{ mounts: { raw: 'other' } }],
  },
  {
    name: 'mount-after-reopening',
    files: { 'data/a.txt': 'one' },
    mounts: { raw: 'data' },
    cells: ["p = raw / 'a.txt'", 't = p.read_text()', 'print(t)'],
    steps: [{ file: ['data/a.txt', 'two'] }, 'reopen'],
  },
  {
    name: 'mount-of-equal-count',
    files: { 'data/a.txt': 'one' },
    mounts: { raw: 'data' },
    cells: ['n = len(list(raw.iterdir()))', 'print(n)'],
    steps: [{ file: ['data/a.txt', 'two'] }, { file: ['data/b.txt', 'two'] }],
  },
];
