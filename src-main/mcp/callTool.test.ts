import { describe, expect, it } from 'vitest';
import type { Session } from '../session/api.ts';
import { callTool } from './callTool.ts';
import { ToolRefusal } from './mcpCaller.ts';
import { fakeCall, fakeCaller } from './testing/fakeCall.ts';
import { listTools, TOOLS } from './tools.ts';

/** The tools of docs/spec/mcp.md 2 and of docs/extensions.md, by their scope. */
const SCOPES: Readonly<Record<string, string>> = {
  'notebook:read':
    'list_notebooks get_notebook get_cell save_cell_output get_variable dag status list_workers lineage publish_preflight table_page explain search',
  'notebook:write':
    'add_cell edit_cell remove_cell move_cell set_variant note add_worker set_default_worker remove_worker disconnect_ssh_worker promote',
  'notebook:execute':
    'run_cell run_snippet cancel_cell run_tests set_widget_value add_dependency remove_dependency connect_ssh_worker evaluate',
  'artifacts:publish': 'publish',
};
const ALL = Object.entries(SCOPES).flatMap(([scope, names]) =>
  names.split(' ').map((name) => ({ name, scope })),
);

const TRUSTED = { views: { notebook: { body: () => ({}) } } } as unknown as Session; // the only part that is used

const textOf = (answer: Awaited<ReturnType<typeof callTool>>): string => {
  const [first] = answer.content;
  return first?.type === 'text' ? first.text : '';
};

describe('[MC-3] a tool is refused without its scope', () => {
  it.each(ALL)('$name needs $scope', async ({ name, scope }) => {
    const one = TOOLS.get(name);
    if (one === undefined) throw new Error(`there is no tool ${name}`);
    const others = Object.keys(SCOPES).filter((other) => other !== scope);
    const answer = await callTool(name, one, { call: fakeCall(fakeCaller(others)), given: {} });
    expect(answer.isError).toBe(true);
    expect(textOf(answer)).toBe(`'${name}' requires the ${scope} scope`);
  });

  it('no tool is left out', () => {
    expect([...TOOLS.keys()].sort()).toEqual(ALL.map(({ name }) => name).sort());
  });
});

describe('[MC-5] a refusal by a tool is an error that the agent can read', () => {
  const run = TOOLS.get('run_cell');
  const args = { session_id: 's', cell_id: 'a' };
  const refusing = (code: string | null) =>
    fakeCaller('all', () => {
      throw new ToolRefusal('No', code);
    });
  const rows = [
    { title: 'a refusal', caller: refusing(null), given: args, words: 'No' },
    {
      title: 'a busy notebook',
      caller: refusing('notebook_busy'),
      given: args,
      words: 'No Retry after the current run finishes.',
    },
    {
      title: 'a busy cell',
      caller: refusing('cell_busy'),
      given: args,
      words: 'No Retry after the current run finishes.',
    },
    {
      title: 'a missing argument',
      caller: refusing(null),
      given: { session_id: 's' },
      words: "Invalid arguments for 'run_cell': cell_id: Invalid input: expected string, received undefined",
    },
  ];
  it.each(rows)('$title', async ({ caller, given, words }) => {
    if (run === undefined) throw new Error('there is no run_cell');
    const answer = await callTool('run_cell', run, { call: fakeCall(caller, TRUSTED), given });
    expect([answer.isError, textOf(answer), answer.structuredContent]).toEqual([true, words, undefined]);
  });

  it('an internal error is not a tool error', async () => {
    if (run === undefined) throw new Error('there is no run_cell');
    await expect(
      callTool('run_cell', run, { call: fakeCall(fakeCaller('all'), TRUSTED), given: args }),
    ).rejects.toThrow('listCells was called');
  });
});

describe('[MC-18] an untrusted folder can be read, and nothing else', () => {
  const untrusted = {
    views: { notebook: { body: () => ({ untrusted: 'Not trusted yet.' }) } },
  } as unknown as Session; // the only part that is used
  const args = {
    session_id: 's',
    cell_id: 'a',
    source: 'x',
    index: 0,
    group: 'g',
    message: 'm',
    name: 'n',
    url: 'http://x/',
    variable: 'v',
    values: {},
    package: 'p',
    ssh_target: 'h',
    expression: '1',
  };
  it.each(ALL.filter(({ scope }) => scope !== 'notebook:read'))('$name is refused', async ({ name }) => {
    const one = TOOLS.get(name);
    if (one === undefined) throw new Error(`there is no tool ${name}`);
    const answer = await callTool(name, one, { call: fakeCall(fakeCaller('all'), untrusted), given: args });
    expect([answer.isError, textOf(answer)]).toEqual([true, 'Not trusted yet.']);
  });

  it('explain is allowed', async () => {
    const one = TOOLS.get('explain');
    if (one === undefined) throw new Error('there is no explain');
    const call = fakeCall(
      fakeCaller('all', () => ({ cell_id: 'a' })),
      untrusted,
    );
    const answer = await callTool('explain', one, { call, given: args });
    expect(answer.structuredContent).toEqual({ cell_id: 'a' });
  });
});

it('[MC-1] every tool has an input and an output schema, and declares whether it only reads', () => {
  for (const { name, description, inputSchema, outputSchema, annotations } of listTools()) {
    expect([name, inputSchema.type, outputSchema.type]).toEqual([name, 'object', 'object']);
    expect(description.length, name).toBeGreaterThan(10);
    expect([name, annotations.readOnlyHint && annotations.destructiveHint]).toEqual([name, false]);
  }
  const writing = listTools().filter(({ annotations }) => !annotations.readOnlyHint);
  expect(writing.map(({ name }) => name)).toContain('save_cell_output');
  expect(writing.map(({ name }) => name)).not.toContain('get_cell');
});
