import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PACKAGE = {
  'web-tree-sitter.wasm': 'web-tree-sitter',
  'tree-sitter-python.wasm': 'tree-sitter-python',
} as const;

export type WasmName = keyof typeof PACKAGE;

/**
 * Where a WebAssembly file lies: in a `wasm` folder beside the running bundle, else in the package it
 * comes from.
 * @throws Error when neither is there.
 */
export function wasmPath(name: WasmName): string {
  const here = dirname(fileURLToPath(import.meta.url));
  const bundled = join(here, 'wasm', name);
  if (existsSync(bundled)) return bundled;
  const { resolve } = createRequire(import.meta.url);
  if (name === 'web-tree-sitter.wasm') return resolve(`${PACKAGE[name]}/${name}`);
  return join(dirname(resolve(`${PACKAGE[name]}/package.json`)), name);
}
