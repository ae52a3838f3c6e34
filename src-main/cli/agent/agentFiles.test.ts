import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PlaceRefusal } from '../../lib/guardedFolder/refusal.ts';
import { notebookFolder } from '../../notebook/folder/notebookFolder.ts';
import { UsageError } from '../arguments.ts';
import { claudeMd, mcpJson, writeAgentFiles } from './agentFiles.ts';
import { installSkill } from './installSkill.ts';

const HTTP = { type: 'http', url: 'http://127.0.0.1:8765/mcp/' } as const;
const OURS = { 'svc-notebook': HTTP };

describe('[MC-14] .mcp.json gets this server and keeps the others', () => {
  const rows = [
    { title: 'no file', before: null, after: { mcpServers: OURS } },
    { title: 'an empty file', before: ' \n', after: { mcpServers: OURS } },
    {
      title: 'another server, and more',
      before: '{"mcpServers": {"x": {"command": "x"}}, "more": 1}',
      after: { mcpServers: { x: { command: 'x' }, ...OURS }, more: 1 },
    },
    {
      title: 'an earlier address',
      before: '{"mcpServers": {"svc-notebook": {"type": "http", "url": "http://old/"}}}',
      after: { mcpServers: OURS },
    },
  ];
  it.each(rows)('$title', ({ before, after }) => {
    expect(JSON.parse(mcpJson(before, HTTP))).toEqual(after);
  });

  it.each(['{', '[]', '1', '{"mcpServers": []}'])('%s is refused, and not replaced', (before) => {
    expect(() => mcpJson(before, HTTP)).toThrow(UsageError);
  });
});

describe('[MC-14] CLAUDE.md gets one block, and the rest is unchanged', () => {
  const block = claudeMd(null, 'n').trimEnd();
  const rows = [
    { title: 'an empty file', before: '\n', after: `${block}\n` },
    { title: 'text', before: '# Mine\n', after: `# Mine\n\n${block}\n` },
    { title: 'text without an end of line', before: '# Mine', after: `# Mine\n\n${block}\n` },
    {
      title: 'an earlier block between texts',
      before: 'a\n<!-- svc:agent:start -->\nold\n<!-- svc:agent:end -->\nb\n',
      after: `a\n${block}\nb\n`,
    },
    {
      title: 'a block that has no end',
      before: '<!-- svc:agent:start -->\nmine\n',
      after: `<!-- svc:agent:start -->\nmine\n\n${block}\n`,
    },
  ];
  it.each(rows)('$title', ({ before, after }) => {
    expect(claudeMd(before, 'n')).toBe(after);
  });

  it('a second write changes nothing', () => {
    const once = claudeMd('# Mine\n', 'n');
    expect(claudeMd(once, 'n')).toBe(once);
  });
});

describe('files', () => {
  let root = '';
  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), 'agent-files-'));
  });
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  it('[MC-14] does not write through a link out of the folder', async () => {
    const dir = notebookFolder(join(root, 'linked'));
    mkdirSync(dir);
    writeFileSync(join(root, 'outside'), 'mine');
    symlinkSync(join(root, 'outside'), join(dir, 'CLAUDE.md'));
    await expect(writeAgentFiles(dir, { connection: HTTP, name: 'n' })).rejects.toThrow(PlaceRefusal);
    expect(readFileSync(join(root, 'outside'), 'utf8')).toBe('mine');
  });

  it('[MC-16] the skill is a folder whose SKILL.md has its name', async () => {
    const source = join(import.meta.dirname, '../../../resources/agent-skill/SKILL.md');
    const path = await installSkill(source, join(root, 'new/skills'));
    expect(path).toBe(join(root, 'new/skills/cellar/SKILL.md'));
    const text = readFileSync(path, 'utf8');
    expect(text).toMatch(/^---\nname: cellar\ndescription: .{20,1024}\n---\n/);
    expect(text).toBe(readFileSync(source, 'utf8'));
  });
});
