/** `npm run typecheck [-- <root> …]`: checks the TypeScript types of all source roots, or of the named ones. */

import { ensureDependencies } from './lib/dependencies.mjs';
import { underNode } from './lib/node.mjs';
import { script } from './lib/project.mjs';
import { typecheck } from './lib/typecheck.mjs';

await script(async () => {
  await ensureDependencies();
  const code = await underNode();
  if (code !== null) return code;
  const results = await typecheck(process.argv.length > 2 ? process.argv.slice(2) : undefined);
  return results.every((result) => result.ok) ? 0 : 1;
});
