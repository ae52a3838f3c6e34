import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { TomlOp } from './tomlOp.ts';
import { editedValue, parseToml, patchToml, readsAs } from './tomlPatch.ts';
import { formatKey, formatValue, type TomlValue } from './tomlValue.ts';

interface Case {
  readonly name: string;
  readonly text: string;
  readonly ops: readonly TomlOp[];
  readonly gives: string;
}

function patched(text: string, ops: readonly TomlOp[]): string {
  return patchToml({ text, document: parseToml(text) }, ops).text;
}

const DOC = `# head
notebook_id = "abc" # id
future = {a=1,  b = [1,2,
   3]}   # odd

# about connections
[connections.bad]
  host   =   "x"   \t
  n = 0x10

# ---- cells ----

# cell one
[[cells]]
id = "a"
order = 0.0  # zero
zzz = '''
[[cells]]
# no comment'''

  [cells.env]
  X = "1"

  [[cells.mounts]]
  name = "m"

# cell two
[[cells]]
id = "b"
`;

const cases: readonly Case[] = [
  {
    name: 'a value is replaced in place',
    text: DOC,
    ops: [{ op: 'set', path: ['cells', 0, 'order'], value: 2 }],
    gives: DOC.replace('0.0  #', '2.0  #'),
  },
  {
    name: 'a missing key is added after the last key of its table',
    text: DOC,
    ops: [{ op: 'set', path: ['cells', 1, 'order'], value: 1.5 }],
    gives: `${DOC}order = 1.5\n`,
  },
  {
    name: 'an element is inserted after the end of the one before it',
    text: DOC,
    ops: [{ op: 'insert', path: ['cells'], index: 1, value: { id: 'c' } }],
    gives: DOC.replace('\n# cell two', '\n[[cells]]\nid = "c"\n\n# cell two'),
  },
  {
    name: 'an element is inserted first',
    text: DOC,
    ops: [{ op: 'insert', path: ['cells'], index: 0, value: { id: 'c' } }],
    gives: DOC.replace('# cell one', '[[cells]]\nid = "c"\n\n# cell one'),
  },
  {
    name: 'an element is appended',
    text: DOC,
    ops: [{ op: 'insert', path: ['cells'], index: 2, value: { id: 'c' } }],
    gives: `${DOC}\n[[cells]]\nid = "c"\n`,
  },
  {
    name: 'a removed element takes its own comment and tables, not the separator before it',
    text: DOC,
    ops: [{ op: 'remove', path: ['cells', 0] }],
    gives: `${DOC.slice(0, DOC.indexOf('# cell one'))}${DOC.slice(DOC.indexOf('# cell two'))}`,
  },
  {
    name: 'the last element is removed with the blank line before it',
    text: DOC,
    ops: [{ op: 'remove', path: ['cells', 1] }],
    gives: DOC.slice(0, DOC.indexOf('\n# cell two')),
  },
  {
    name: 'a root table is inserted before the cells',
    text: 'a = 1\n\n[[cells]]\nid = "a"\n',
    ops: [{ op: 'set', path: ['env'], value: { A: 'x' } }],
    gives: 'a = 1\n\n[env]\nA = "x"\n\n[[cells]]\nid = "a"\n',
  },
  {
    name: 'a table merges: equal keys are not touched',
    text: 'env = { A = \'1\', B = "2", C = "3" } # e\n',
    ops: [{ op: 'set', path: ['env'], value: { A: '1', C: 'new', D: '4' } }],
    gives: 'env = { A = \'1\', C = "new", D = "4" } # e\n',
  },
  {
    name: 'a dotted table stays dotted',
    text: 'env.A = "1" # one\nenv.B = "2"\nz = 1\n',
    ops: [{ op: 'set', path: ['env'], value: { B: '2', C: '3' } }],
    gives: 'env.B = "2"\nenv.C = "3"\nz = 1\n',
  },
  {
    name: 'inline cells stay inline',
    text: 'cells = [\n  {id = "a"}, # one\n  {id = "b"},\n]\n',
    ops: [
      { op: 'insert', path: ['cells'], index: 1, value: { id: 'c' } },
      { op: 'set', path: ['cells', 1, 'order'], value: 1 },
    ],
    gives: 'cells = [\n  {id = "a"}, { id = "c" }, # one\n  {id = "b", order = 1.0},\n]\n',
  },
  ...[
    ['{id = "a"},', '\n  \n'],
    ['{id = "a"} , # one', '\n    # one\n'],
    ['{id = "a"} # one\n  , # two', '\n   # one\n   # two\n'],
    ['{id = "a"}', '\n  \n'],
    ['{id = "a",},', '\n  \n'],
  ].map(
    ([item = '', rest = '']): Case => ({
      name: `[NF-62] removing the only inline cell leaves no comma: ${JSON.stringify(item)}`,
      text: `cells = [\n  ${item}\n]\n`,
      ops: [{ op: 'remove', path: ['cells', 0] }],
      gives: `cells = [${rest}]\n`,
    }),
  ),
  {
    name: '[NF-62] removing the last pair of an inline table leaves no comma',
    text: 'env = {A = "1",}\n',
    ops: [{ op: 'remove', path: ['env', 'A'] }],
    gives: 'env = {}\n',
  },
  {
    name: '[NF-62] removing the last of two inline cells keeps the comma of the first',
    text: 'cells = [\n  {id = "a"},\n  {id = "b"},\n]\n',
    ops: [{ op: 'remove', path: ['cells', 1] }],
    gives: 'cells = [\n  {id = "a"},\n]\n',
  },
  {
    name: '[NF-62] an inline cell replaces the only one',
    text: 'cells = [\n  {id = "a"},\n]\n',
    ops: [
      { op: 'remove', path: ['cells', 0] },
      { op: 'insert', path: ['cells'], index: 1, value: { id: 'c' } },
    ],
    gives: 'cells = [\n  { id = "c" },\n]\n',
  },
  {
    name: 'an empty inline array is replaced',
    text: 'a = 1\ncells = []\n',
    ops: [{ op: 'insert', path: ['cells'], index: 0, value: { id: 'c' } }],
    gives: 'a = 1\n\n[[cells]]\nid = "c"\n',
  },
  {
    name: 'CRLF stays CRLF, also without a last line break',
    text: 'a = 1\r\n\r\n[[cells]]\r\nid = "a"',
    ops: [
      { op: 'set', path: ['a'], value: 'x\r\ny' },
      { op: 'set', path: ['cells', 0, 'order'], value: 0 },
    ],
    gives: 'a = "x\\r\\ny"\r\n\r\n[[cells]]\r\nid = "a"\r\norder = 0.0',
  },
  {
    name: 'a removed section takes its header comment',
    text: 'a = 1\n\n# secrets\n[env]\nK = "v" # k\n\n[tail]\nx = 1\n',
    ops: [{ op: 'remove', path: ['env'] }],
    gives: 'a = 1\n\n[tail]\nx = 1\n',
  },
];

for (const { name, text, ops, gives } of cases) {
  test(name, () => {
    expect(patched(text, ops)).toBe(gives);
    expect(readsAs(parseToml(gives), editedValue(parseToml(text), ops), ops)).toBe(true);
  });
}

const key = fc.oneof(
  fc.constantFrom('a', 'b', 'name', 'x-y', 'constructor', '__proto__'),
  fc.string({ maxLength: 4, unit: 'binary' }).map((text) => text.toWellFormed()),
);
const scalar: fc.Arbitrary<TomlValue> = fc.oneof(
  fc.string({ maxLength: 8, unit: 'binary' }).map((text) => text.toWellFormed()),
  fc.double({ noNaN: true }),
  fc.boolean(),
  fc.date({ noInvalidDate: true, min: new Date('1000-01-01'), max: new Date('9000-01-01') }),
);
const flat = fc.dictionary(key, scalar, { maxKeys: 3, noNullPrototype: true });
const inline: fc.Arbitrary<TomlValue> = fc.oneof(
  scalar,
  fc.array(scalar, { maxLength: 3 }),
  flat,
  fc.array(flat, { maxLength: 3 }),
);
const comment = fc.constantFrom('', '', '# note [x] = "y', "# it's");

/** How the same table may be written. */
const style = fc.constantFrom('section', 'inline', 'dotted');

interface Written {
  readonly key: string;
  readonly value: Record<string, TomlValue>;
  readonly style: string;
}

const documents = fc
  .record({
    root: fc.dictionary(key, inline, { maxKeys: 4, noNullPrototype: true }),
    tables: fc.uniqueArray(
      fc.record({ key: fc.constantFrom('env', 'connections', 'ai', 'tail'), value: flat, style }),
      { selector: (table) => table.key, maxLength: 3 },
    ),
    cells: fc.array(fc.record({ own: flat, env: fc.option(fc.record({ value: flat, style })) }), {
      maxLength: 4,
    }),
    comments: fc.array(comment, { minLength: 1, maxLength: 5 }),
    blank: fc.boolean(),
    indent: fc.constantFrom('', '  ', '\t'),
    eol: fc.constantFrom('\n', '\r\n'),
    lastEol: fc.boolean(),
  })
  .map((doc) => {
    const lines: string[] = [];
    let comments = 0;
    const push = (line: string) => {
      const note = doc.comments[comments % doc.comments.length] ?? '';
      comments += 1;
      if (comments % 3 === 0 && note !== '') lines.push(note);
      lines.push(line === '' ? '' : `${doc.indent}${line} ${note}`);
    };
    const pairs = (value: Record<string, TomlValue>, prefix = '') => {
      for (const [name, item] of Object.entries(value))
        push(`${prefix}${formatKey(name)}=${formatValue(item)}`);
    };
    const table = ({ key: name, value, style: written }: Written, path: string, when: 'in' | 'after') => {
      const empty = Object.keys(value).length === 0;
      if ((written === 'inline' || (written === 'dotted' && empty)) && when === 'in')
        push(`${name} = ${formatValue(value)}`);
      else if (written === 'dotted' && when === 'in') pairs(value, `${name} . `);
      else if (written === 'section' && when === 'after') {
        if (doc.blank) push('');
        push(`[${path}${name}]`);
        pairs(value);
      }
    };
    const root = Object.fromEntries(
      Object.entries(doc.root).filter(
        ([name]) => !['env', 'connections', 'ai', 'tail', 'cells'].includes(name),
      ),
    );
    pairs(root);
    for (const entry of doc.tables) table(entry, '', 'in');
    for (const entry of doc.tables) table(entry, '', 'after');
    for (const cell of doc.cells) {
      if (doc.blank) push('');
      push('[[cells]]');
      const { env: _, ...own } = cell.own;
      pairs(own);
      if (cell.env !== null) {
        table({ key: 'env', ...cell.env }, 'cells.', 'in');
        table({ key: 'env', ...cell.env }, 'cells.', 'after');
      }
    }
    return lines.join(doc.eol) + (doc.lastEol ? doc.eol : '');
  });

type Intent =
  | { readonly kind: 'set'; readonly at: number; readonly key: string; readonly value: TomlValue }
  | { readonly kind: 'setIn'; readonly at: number; readonly key: string; readonly value: TomlValue }
  | { readonly kind: 'remove'; readonly at: number }
  | { readonly kind: 'insert'; readonly at: number };

const intents: fc.Arbitrary<readonly Intent[]> = fc.tuple(
  fc.record({ kind: fc.constantFrom('set' as const, 'setIn' as const), at: fc.nat(4), key, value: inline }),
  fc.oneof(
    fc.record({ kind: fc.constantFrom('remove' as const, 'insert' as const), at: fc.nat(4) }),
    fc.record({ kind: fc.constant('set' as const), at: fc.nat(4), key: fc.constant('env'), value: flat }),
  ),
);

function opsFor(text: string, intents: readonly Intent[]): readonly TomlOp[] {
  const cells = parseToml(text)['cells'];
  const count = Array.isArray(cells) ? cells.length : 0;
  // One batch does not edit the element it removes.
  const removed = intents.find((intent) => intent.kind === 'remove')?.at;
  return intents.flatMap((intent): TomlOp[] => {
    if (intent.kind === 'insert') {
      return [
        { op: 'insert', path: ['cells'], index: Math.min(intent.at, count), value: { id: 'new', order: 1 } },
      ];
    }
    if (intent.kind === 'remove')
      return intent.at < count ? [{ op: 'remove', path: ['cells', intent.at] }] : [];
    if (intent.kind === 'set') return [{ op: 'set', path: [intent.key], value: intent.value }];
    return intent.at < count && intent.at !== removed
      ? [{ op: 'set', path: ['cells', intent.at, intent.key], value: intent.value }]
      : [];
  });
}

test('[NF-1] random documents, random edits: the text reads as the edited value', () => {
  fc.assert(
    fc.property(documents, intents, (text, intents) => {
      const ops = opsFor(text, intents);
      const edited = patched(text, ops);
      expect(readsAs(parseToml(edited), editedValue(parseToml(text), ops), ops)).toBe(true);
      if (text.includes('\r\n')) expect(/[^\r]\n/.test(edited)).toBe(false);
    }),
    { numRuns: 1500 },
  );
});

test('[NF-1] random documents: adding an element and removing it again gives the same bytes', () => {
  fc.assert(
    fc.property(documents, fc.nat(4), (text, at) => {
      const cells = parseToml(text)['cells'];
      const count = Array.isArray(cells) ? cells.length : 0;
      fc.pre(count > 0);
      const index = Math.min(at, count);
      const added = patched(text, [{ op: 'insert', path: ['cells'], index, value: { id: 'new', order: 1 } }]);
      const block = /^\[\[cells\]\]\r?\nid = "new"\r?\norder = 1\.0\r?\n/m.exec(added);
      expect(block).not.toBeNull();
      // Everything of the original is still there, in order, around the one new block.
      const start = block?.index ?? 0;
      const before = added.slice(0, start).trimEnd();
      const after = added.slice(start + (block?.[0].length ?? 0)).trim();
      expect(text.startsWith(before)).toBe(true);
      expect(text.trim().endsWith(after)).toBe(true);
      expect(before.length + after.length).toBeGreaterThanOrEqual(
        text.replaceAll(/\s/g, '').length === 0 ? 0 : text.trim().length - 8,
      );
    }),
    { numRuns: 500 },
  );
});
