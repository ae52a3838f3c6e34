/** Random Python programs for tests of the analyser; they use few names, so that scopes collide. */

import fc from 'fast-check';

/** Random Python programs for tests. They use few names, so that scopes collide. */
const NAMES = ['a', 'b', 'c', 'd', 'g', '_p', 'print', 'len'];
const name = fc.constantFrom(...NAMES);

const { expression } = fc.letrec<{ expression: string; target: string }>((tie) => {
  const e = tie('expression');
  const t = tie('target');
  const make = (build: (...parts: string[]) => string, ...parts: fc.Arbitrary<string>[]) =>
    fc.tuple(...parts).map((values) => build(...values));
  return {
    target: fc.oneof(
      { maxDepth: 2, withCrossShrink: true },
      name,
      make((x, y) => `(${x}, ${y})`, name, name),
    ),
    expression: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      name,
      fc.constantFrom('1', '2.5', '"s"', "b'x'", 'None', '0x1F', 'f"{a}"'),
      make((x, y) => `${x} + ${y}`, e, e),
      make((x, y) => `(${x} and not ${y})`, e, e),
      make((x, y) => `${x}(${y}, k=${y})`, name, e),
      make((x, y) => `${x}.m(${y}, inplace=True)`, name, e),
      make((x, y) => `${x}.z[${y}]`, name, e),
      make((x, y, z) => `(${x} if ${y} else ${z})`, e, e, e),
      make((x, y) => `(lambda ${x}, q=${y}: ${x} + ${y})`, name, e),
      make((x, y, z, w) => `[${x} for ${y} in ${z} if ${w}]`, e, t, e, e),
      make((x, y, z, w) => `{${x}: ${y} for ${z} in ${w}}`, e, e, t, e),
      make((x, y, z, w, v) => `tuple(${x} for ${y} in ${z} for ${w} in ${v})`, e, t, e, name, e),
      make((x, y) => `(${x} := ${y})`, name, e),
      make((x, y) => `f"{${x}!r:>{${y}}}"`, name, name),
      make((x, y) => `{**${x}, "k": ${y}}`, name, e),
      make((x, y) => `[*${x}, ${y}]`, name, e),
    ),
  };
});

type Block = readonly string[];

function indent(lines: Block): Block {
  return lines.map((line) => `    ${line}`);
}

const { block } = fc.letrec<{ block: Block; statement: Block }>((tie) => {
  const body = tie('block').map(indent);
  const line = (build: (...parts: string[]) => string, ...parts: fc.Arbitrary<string>[]) =>
    fc.tuple(...parts).map((values): Block => [build(...values)]);
  const compound = (header: fc.Arbitrary<string>, ...rest: string[]) =>
    fc.tuple(header, ...rest.map(() => body), body).map(([first, ...bodies]): Block => {
      const headers = [first, ...rest];
      return bodies.flatMap((lines, at) => [headers[at] ?? '', ...lines]);
    });
  const header = (build: (...parts: string[]) => string, ...parts: fc.Arbitrary<string>[]) =>
    fc.tuple(...parts).map((values) => build(...values));
  const e = expression;
  return {
    block: fc.array(tie('statement'), { minLength: 1, maxLength: 3 }).map((blocks) => blocks.flat()),
    statement: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      line((x, y) => `${x} = ${y}`, name, e),
      line((x) => x, e),
      line((x, y) => `${x} += ${y}`, name, e),
      line((x, y, z) => `${x}, *${y} = ${z}`, name, name, e),
      line((x, y) => `${x} = ${y}.q = ${x}`, name, name),
      line((x, y, z) => `${x}[${y}] = ${z}`, name, e, e),
      line((x, y) => `${x}.w: ${y} = 1`, name, name),
      line((x, y) => `${x}: ${y}`, name, name),
      line((x, y, z) => `${x}: ${y} = ${z}`, name, name, e),
      line((x) => `del ${x}`, name),
      line((x, y) => `import ${x}.q, r as ${y}`, name, name),
      line((x, y) => `from .m import ${x} as ${y}, ${x}`, name, name),
      compound(
        header((x) => `if ${x}:`, e),
        'else:',
      ),
      compound(header((x, y) => `for ${x} in ${y}:`, name, e)),
      compound(header((x) => `while ${x}:`, e)),
      compound(header((x, y) => `with ${x} as ${y}, ${y}:`, e, name)),
      compound(fc.constant('try:'), 'except a as b:', 'finally:'),
      compound(
        header(
          (x, y, z) => `match ${x}:\n  case {"k": ${y}, **${z}} | [${y}, *${z}] if ${y}:`,
          e,
          name,
          name,
        ),
      ).map(([first = '', ...lines]): Block => [...first.split('\n'), ...indent(lines)]),
      compound(header((x, y, z) => `def ${x}(${y}: ${z} = ${y}, *, k=${z}) -> ${z}:`, name, name, name)),
      compound(header((x, y) => `def ${x}():\n    global ${y}`, name, name)).map(
        ([first = '', ...lines]): Block => [...first.split('\n'), ...lines],
      ),
      compound(header((x, y, z) => `@${x}\nclass ${y}(${z}, k=${x}):`, name, name, name)).map(
        ([first = '', ...lines]): Block => [...first.split('\n'), ...lines],
      ),
    ),
  };
});

/** Sources of programs. Python's compiler refuses a few of them, which the oracle reports. */
export const pythonProgram: fc.Arbitrary<string> = fc
  .tuple(fc.boolean(), fc.array(block, { minLength: 1, maxLength: 4 }))
  .map(([future, blocks]) =>
    [...(future && blocks.length > 2 ? ['from __future__ import annotations'] : []), ...blocks.flat()].join(
      '\n',
    ),
  );

/** Changes one token of a source: deletes, duplicates, replaces or wraps it. */
export function damage(source: string, seed: number): string {
  const tokens = source.match(/\w+|[ \t]+|\n|[^\w\s]/g) ?? [];
  const at = seed % Math.max(1, tokens.length);
  const token = tokens[at] ?? '';
  const other = tokens[(seed * 7919) % Math.max(1, tokens.length)] ?? '';
  const kinds = [
    [],
    [token, token],
    [other],
    [token, ' ', other],
    ['(', token, ')'],
    [token, ','],
    ['\n', token],
  ];
  return [...tokens.slice(0, at), ...(kinds[seed % kinds.length] ?? []), ...tokens.slice(at + 1)].join('');
}
