const COMMANDS: readonly string[] = ['ls', 'add', 'rm', 'default', 'add-ssh', 'rm-ssh'];

/** Whether the arguments of `svc worker` are of a notebook, and not of a worker to start (worker-details 18). */
export function isWorkerFileCommand([command = '']: readonly string[]): boolean {
  return COMMANDS.includes(command);
}
