import { expect, it } from 'vitest';
import { createImportMemory, importedBy } from './importMemory.ts';

it.each<[string, string, string[]]>([
  ['plain, dotted, renamed', 'import os\nimport a.b as c, d', ['os', 'a', 'd']],
  ['from', 'from pandas.api import types', ['pandas']],
  ['inside a function', 'def f():\n    import json', ['json']],
  ['relative imports', 'from . import x\nfrom .y import z', []],
  ['names that only start with import or from', 'important = 1\nfromage = 2\nimportlib.reload(x)', []],
  ['nothing', '', []],
])('[WK-32] what a cell imports: %s', (_name, source, expected) => {
  expect(importedBy(source)).toEqual(expected);
});

it('[WK-32] prepares the warm process of an environment again only for new imports', () => {
  const prepared: [string, readonly string[]][] = [];
  const { remember } = createImportMemory(({ identity }, imports) => prepared.push([identity, imports]));
  const [one, two] = ['one', 'two'].map((identity) => ({ path: '/python', identity }));
  if (one === undefined || two === undefined) throw new Error('two environments');
  remember(one, 'import pandas');
  remember(one, 'import pandas\n1 + 1');
  remember(one, 'import numpy');
  remember(two, '1');
  remember(two, 'import numpy');
  expect(prepared).toEqual([
    ['one', ['pandas']],
    ['one', ['numpy', 'pandas']],
    ['two', ['numpy']],
  ]);
  remember(one, Array.from({ length: 100 }, (_none, at) => `import m${at}`).join('\n'));
  expect(prepared.at(-1)?.[1]).toHaveLength(40);
});

it('[RW-45] prepares a cooled environment again for its next cell, but not one that was too large', () => {
  const prepared: [string, readonly string[]][] = [];
  const memory = createImportMemory(({ identity }, imports) => prepared.push([identity, imports]));
  const [one, large] = ['one', 'large'].map((identity) => ({ path: '/python', identity }));
  if (one === undefined || large === undefined) throw new Error('two environments');
  memory.remember(one, 'import pandas');
  memory.remember(large, 'import torch');
  memory.cooled('one', { isTooLarge: false });
  memory.cooled('large', { isTooLarge: true });
  memory.cooled('never seen', { isTooLarge: false });
  for (const source of ['x = 1', 'x = 2']) {
    memory.remember(one, source);
    memory.remember(large, source);
  }
  expect(prepared).toEqual([
    ['one', ['pandas']],
    ['large', ['torch']],
    ['one', ['pandas']],
  ]);
});
