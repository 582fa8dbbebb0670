/** A path prefix: segments of lower-case letters, digits, dots, dashes and underscores. */
export const contextPattern = /^[a-z0-9][a-z0-9._-]*(\/[a-z0-9][a-z0-9._-]*)*$/

/** First segments that the gateway answers itself. */
export const gatewayPaths: readonly string[] = ['healthz', 'metrics']

/**
 * First segments that no API can be given. The gateway may share its host with the dashboard, and
 * cookies are sent by host and path, whatever the port: under these, an upstream would receive cookies of the
 * dashboard. APIs that had one before it was reserved keep it.
 */
export const reservedContexts: readonly string[] = [
  ...gatewayPaths,
  'admin',
  'api',
  'assets',
  'dashboard',
  'hooks',
  'mcp',
  'readyz',
]

/** Whether paths of this context belong to Gatehouse itself. */
export const isReservedContext = (context: string) =>
  reservedContexts.includes(context.split('/')[0] ?? '')
