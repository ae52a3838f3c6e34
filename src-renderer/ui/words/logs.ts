/** Words of the logs drawer. */
export const LOGS_WORDS = {
  empty: 'Nothing has been logged yet',
  environment: 'Environment',
  server: 'Server',
} as const;
