const COMMANDS: readonly string[] = ['ls', 'add', 'rm', 'default'];

/** Whether the arguments of `svc worker` are of a notebook's file, and not of a worker to start (worker-details 18). */
export function isWorkerFileCommand([command = '']: readonly string[]): boolean {
  return COMMANDS.includes(command);
}
