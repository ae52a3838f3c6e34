/** Locates the WebAssembly files of the Python parser (tree-sitter). */

import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PACKAGE = {
  'web-tree-sitter.wasm': 'web-tree-sitter',
  'tree-sitter-python.wasm': 'tree-sitter-python',
} as const;

type WasmName = keyof typeof PACKAGE;

/**
 * The path of a WebAssembly file: in the `wasm` folder beside the running bundle, or else in its package.
 * @throws Error if it is in neither
 */
export function wasmPath(name: WasmName): string {
  const here = dirname(fileURLToPath(import.meta.url));
  const bundled = join(here, 'wasm', name);
  if (existsSync(bundled)) return bundled;
  const { resolve } = createRequire(import.meta.url);
  if (name === 'web-tree-sitter.wasm') return resolve(`${PACKAGE[name]}/${name}`);
  return join(dirname(resolve(`${PACKAGE[name]}/package.json`)), name);
}
