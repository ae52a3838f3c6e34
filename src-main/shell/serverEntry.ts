/**
 * The first file of the desktop app's server process, and of the processes that run SQL (`--sql`). It uses only syntax
 * that old versions of Electron and Node can parse, so that it can report one that is too old: there the database
 * driver would end the process without a message.
 */
const LOWEST_NODE_API = 10;
const version = Number(process.versions['napi'] ?? 0);

if (version < LOWEST_NODE_API) {
  const message = `The notebook server needs Node-API ${LOWEST_NODE_API}; this is Node ${process.versions.node} with ${version}.`;
  const { parentPort } = process as NodeJS.Process & {
    readonly parentPort?: { postMessage(message: unknown): void };
  };
  const failed = { type: 'failed', message };
  if (parentPort) parentPort.postMessage(failed);
  else process.send?.(failed);
} else {
  // Next to this file; computed so that the bundler does not resolve it.
  const program = process.argv.includes('--sql') ? './sqlProcess.js' : './hosted.mjs';
  void import(program);
}
