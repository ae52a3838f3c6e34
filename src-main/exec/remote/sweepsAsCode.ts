import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { LANGUAGES } from '../../../src-shared/notebook/languages/languages.ts';
import type { HarnessInput, StoredInput } from '../../../src-shared/wire/harness.ts';
import { writeOver } from '../../lib/guardedFolder/replace.ts';
import { makePrivateFolder } from '../../lib/makePrivateFolder.ts';
import type { RemoteRequest } from './call/remoteRequest.ts';
import { caseSafe, refuseSweep } from './push/inputParts.ts';

/**
 * The inputs of a run in a form that every worker accepts. The values of a sweep are sent as shared code that puts them
 * into a dict, with each value as an input of that code (docs/spec/worker-protocol.md, 3;
 * docs/spec/analysis-and-graph.md, 2).
 */
export async function sweepsAsCode(
  { inputs, language }: Pick<RemoteRequest, 'inputs' | 'language'>,
  dir: string,
): Promise<Readonly<Record<string, HarnessInput>>> {
  const result: Record<string, HarnessInput> = {};
  for (const [name, input] of Object.entries(inputs)) {
    if (!('variants' in input)) {
      result[name] = input;
      continue;
    }
    if (!LANGUAGES[language].fansOut) throw refuseSweep(name);
    const { code, injected } = dictCode(name, input.variants);
    makePrivateFolder(dir);
    const file = join(dir, `${caseSafe(name)}.json`);
    await writeOver(file, JSON.stringify(code));
    result[name] = { content_type: 'module/cell', file, injected };
  }
  return result;
}

/** A dict of the variants by name, sorted as on this machine. */
function dictCode(
  name: string,
  variants: Readonly<Record<string, StoredInput>>,
): { readonly code: Readonly<Record<string, unknown>>; readonly injected: Record<string, StoredInput> } {
  const injected: Record<string, StoredInput> = {};
  const entries = Object.keys(variants)
    .sort()
    .map((variant, at) => {
      const value = `${name}_variant_${at}`;
      const stored = variants[variant];
      if (stored !== undefined) injected[value] = stored;
      return `${JSON.stringify(variant)}: ${value}`;
    });
  const source = `${name} = {${entries.join(', ')}}`;
  const digest = createHash('sha256').update(source).digest('hex');
  return {
    code: {
      module_name: `nb_sweep_${name}_${digest.slice(0, 12)}`,
      symbol_name: name,
      kind: 'constant',
      source,
      cell_name: `variants of ${name}`,
      provenance_hash: digest,
      injected: Object.fromEntries(Object.entries(injected).map(([key, { uri }]) => [key, uri ?? null])),
    },
    injected,
  };
}
