/**
 * Entry point of the program `svc`. It refuses an old Node before it loads any other module, because those import names
 * that older versions lack, which would end in a SyntaxError.
 */

import process from 'node:process';

const LOWEST = [22, 14] as const;

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major > LOWEST[0] || (major === LOWEST[0] && minor >= LOWEST[1])) {
  const { runProgram } = await import('./main.ts');
  await runProgram();
} else {
  process.stderr.write(
    `svc: this is Node ${process.versions.node}, and Cellar needs ${LOWEST.join('.')} or newer. Install a newer Node, or start Cellar from its checkout with \`npm run svc\`, which brings its own.\n`,
  );
  process.exitCode = 2;
}
