/** The spec's exact texts (§2 "Log Viewer"). */
export const logMessages = {
  loading: 'Loading logs...',
  empty: 'No logs available.',
  download: 'Download File',
  viewStack: 'View Stack',
} as const
