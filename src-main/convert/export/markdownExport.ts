import type { ExportView } from '../exportView.ts';
import { type Block, blocksOf, type RenderOptions } from './blocks.ts';
import { fenceText, plainText, safeMarkdown } from './markdownText.ts';

/**
 * The Markdown export (`fmt=markdown`): one readable file for any site (docs/spec/export-and-import.md, 1), in pieces.
 */
export async function* markdownExport(view: ExportView, options: RenderOptions): AsyncGenerator<Uint8Array> {
  let isFirst = true;
  for await (const block of blocksOf(view, options)) {
    const text = blockText(block);
    if (text === '') continue;
    yield Buffer.from(isFirst ? `${text}\n` : `\n${text}\n`);
    isFirst = false;
  }
}

function blockText(block: Block): string {
  switch (block.kind) {
    case 'title':
      return `# ${plainText(block.text)}`;
    case 'markdown':
      return safeMarkdown(block.text).trim();
    case 'heading':
      return `## ${plainText(block.text)}\n\n${block.chips.map((chip) => `\`${chip.replaceAll('`', "'")}\``).join(' ')}`;
    case 'code':
      return fenceText(block.text, block.language);
    case 'table':
      return tableText(block);
    case 'image':
      return `![${plainText(block.alt)}](${block.dataUrl})`;
    case 'text':
      return `${ROLES[block.role]}${fenceText(block.text, 'text')}`;
    case 'json':
      return fenceText(block.text, 'json');
    case 'note':
      return `*${plainText(block.text)}*`;
    default:
      return block satisfies never;
  }
}

const ROLES = { stdout: '', value: '', stderr: '*stderr*\n\n', error: '**Error**\n\n' } as const;

function tableText({ columns, rows, total }: Extract<Block, { readonly kind: 'table' }>): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(plainText).join(' | ')} |`;
  const lines = [line(columns), `|${columns.map(() => ' --- |').join('')}`, ...rows.map(line)];
  if (total !== null) lines.push('', `*${rowCountText(rows.length, total)}*`);
  return lines.join('\n');
}

/** The note below a table: `20 of 1,000 rows`, or `3 rows` if all are included. */
export function rowCountText(count: number, total: number): string {
  const all = `${total.toLocaleString('en-US')} ${total === 1 ? 'row' : 'rows'}`;
  return count < total ? `${count} of ${all}` : all;
}
