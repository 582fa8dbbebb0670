// Facts of the log viewer that need no schema library: the browser and the reading thread use them.

/** The eight levels of PSR-3, from the least to the most urgent. */
export const logLevels = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
] as const
export type LogLevel = (typeof logLevels)[number]

/** Log page size (spec: limits). */
export const logPageSize = 30

/** One entry shows at most this many bytes; the rest is in the download. */
export const logEntryMaxBytes = 64 * 1024
