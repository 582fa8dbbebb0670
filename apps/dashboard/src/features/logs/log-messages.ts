/** The spec's exact texts (spec: log-viewer). */
export const logMessages = {
  loading: 'Loading logs...',
  empty: 'No logs available.',
  download: 'Download File',
  viewStack: 'View Stack',
} as const
