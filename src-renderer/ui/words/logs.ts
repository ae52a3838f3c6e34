/** Words of the logs drawer. */
export const LOGS_WORDS = {
  label: 'Logs of this notebook',
  quiet: 'The server has written nothing about this notebook.',
  environment: 'Environment',
  server: 'Server',
  again: 'Look again',
} as const;
