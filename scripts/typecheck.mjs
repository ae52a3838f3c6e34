import { ensureDependencies } from './lib/dependencies.mjs';
import { underNode } from './lib/node.mjs';
import { script } from './lib/project.mjs';
import { typecheck } from './lib/typecheck.mjs';

// npm run typecheck [-- <root> …]
await script(async () => {
  await ensureDependencies();
  const code = await underNode();
  if (code !== null) return code;
  const results = await typecheck(process.argv.length > 2 ? process.argv.slice(2) : undefined);
  return results.every((result) => result.ok) ? 0 : 1;
});
