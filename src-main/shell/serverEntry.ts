/**
 * The first file of the server's process. Written so that the oldest Electron and Node can read it and report
 * the problem: the database driver ends the process silently below this Node-API.
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
