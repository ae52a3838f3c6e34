/** UI texts of the logs drawer. */
export const LOGS_WORDS = {
  label: 'Notebook logs',
  quiet: 'No log output yet.',
  environment: 'Environment',
  server: 'Server',
  again: 'Refresh',
} as const;
