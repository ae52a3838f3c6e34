/**
 * A package index with a package whose build runs code, for tests that opening a stranger's notebook builds nothing.
 */

import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTestIndex, type TestIndex } from '../../src-main/environment/testing/testIndex.ts';

/** An index with the packages that every notebook needs, `apple`, and `legacy`, which has no wheel. */
export interface StrangerPackages {
  readonly index: TestIndex;
  /** A file that exists if the build of any of these packages ran code. */
  readonly mark: string;
  /** The folder of a package that is in no index. */
  readonly evil: string;
}

export async function strangerPackages(): Promise<StrangerPackages> {
  const index = await createTestIndex();
  for (const [name, version] of [
    ['pyarrow', '18.0.0'],
    ['orjson', '3.10.0'],
    ['cloudpickle', '3.0.0'],
    ['apple', '1.0'],
  ] as const) {
    await index.wheel({ name, version });
  }
  const mark = join(index.root, 'a build ran');
  const evil = join(index.root, 'evil');
  writeSource(evil, 'evil', mark);
  const legacy = join(index.root, 'legacy-1.0');
  writeSource(legacy, 'legacy', mark);
  const archive = join(index.env['UV_FIND_LINKS'] ?? '', 'legacy-1.0.tar.gz');
  execFileSync('tar', ['-czf', archive, '-C', index.root, 'legacy-1.0']);
  rmSync(legacy, { recursive: true });
  return { index, mark, evil };
}

/** Writes the source of a package whose build writes the file `mark` and makes an empty wheel. */
function writeSource(folder: string, name: string, mark: string): void {
  mkdirSync(folder, { recursive: true });
  const files = {
    'PKG-INFO': `Metadata-Version: 2.1\nName: ${name}\nVersion: 1.0\n`,
    'pyproject.toml': `[project]\nname = "${name}"\nversion = "1.0"\n[build-system]\nrequires = []\nbuild-backend = "backend"\nbackend-path = ["."]\n`,
    'backend.py': [
      'import os, zipfile',
      `open(${JSON.stringify(mark)}, "w").close()`,
      'def build_wheel(folder, *_args, **_options):',
      `    wheel, info = "${name}-1.0-py3-none-any.whl", "${name}-1.0.dist-info"`,
      '    with zipfile.ZipFile(os.path.join(folder, wheel), "w") as file:',
      `        file.writestr("${name}.py", "")`,
      `        file.writestr(info + "/METADATA", "Metadata-Version: 2.1\\nName: ${name}\\nVersion: 1.0\\n")`,
      '        file.writestr(info + "/WHEEL", "Wheel-Version: 1.0\\nGenerator: test\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")',
      '        file.writestr(info + "/RECORD", "")',
      '    return wheel',
      '',
    ].join('\n'),
  };
  for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text);
}

/** A Jupyter notebook of one cell. */
export function ipynb(source: string): string {
  const cell = { cell_type: 'code', id: 'a', metadata: {}, outputs: [], execution_count: null, source };
  return JSON.stringify({ nbformat: 4, nbformat_minor: 5, metadata: {}, cells: [cell] });
}
