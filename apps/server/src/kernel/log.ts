import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { pino, type Logger } from 'pino'
import type { Settings } from '../settings.ts'
import { redactSecrets, toLoggedError } from './redact.ts'

/**
 * The control plane's log: JSON lines in `DATA_DIR/logs/admin/admin.log`. Secrets are taken out of
 * every text and error before it is written.
 */
export function openLog(dataDir: string, level: Settings['logLevel']): Logger {
  const folder = join(dataDir, 'logs', 'admin')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return pino(
    {
      level,
      base: { context: 'admin' },
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      serializers: { err: (error: unknown) => toLoggedError(error) },
      hooks: { streamWrite: redactSecrets },
      formatters: { level: (label) => ({ level: label }) },
    },
    pino.destination({ dest: join(folder, 'admin.log'), sync: true, mode: 0o600 }),
  )
}
