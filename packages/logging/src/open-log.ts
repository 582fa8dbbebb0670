import { join } from 'node:path'
import { pino, type Logger } from 'pino'
import { redactSecrets, toLoggedError } from './redact.ts'
import { RotatingFile, type Loss } from './rotating-file.ts'

export const logLevels = ['debug', 'info', 'warn', 'error'] as const
export type LogLevel = (typeof logLevels)[number]

/** The part of the product that a log is of: its folder under `DATA_DIR/logs`, and the context of its lines. */
type LogPart = 'admin' | 'runs' | 'gateway'

interface LogOptions {
  /** True for a line that is not written, by its fields and its text: something else says it. */
  leavesOut?: (fields: unknown, text: string | undefined) => boolean
}

/**
 * A log: JSON lines in `DATA_DIR/logs/{part}`, a file a day and another where it grows large, kept for
 * 30 days. Secrets are taken out of every text and error before it is written. Whatever the disk does,
 * logging never throws.
 */
export function openLog(
  dataDir: string,
  part: LogPart,
  level: LogLevel,
  { leavesOut }: LogOptions = {},
): Logger {
  const file = new RotatingFile({
    folder: join(dataDir, 'logs', part),
    name: part,
    clock: { now: () => new Date() },
    lossLine: (loss) => lossLine(part, loss),
  })
  const log = pino(
    {
      level,
      base: { context: part },
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      serializers: { err: (error: unknown) => toLoggedError(error) },
      hooks: {
        streamWrite: redactSecrets,
        ...(leavesOut && {
          logMethod(given, write) {
            const [fields, text] = given as [unknown, string?]
            if (!leavesOut(fields, text)) write.apply(this, given)
          },
        }),
      },
      formatters: { level: (label) => ({ level: label }) },
    },
    file,
  )
  files.set(log, file)
  return log
}

const files = new WeakMap<Logger, RotatingFile>()

/** Closes the file of a log that is no longer needed; a later line would open it again. */
export function closeLog(log: Logger): void {
  files.get(log)?.close()
}

function lossLine(context: LogPart, { lines, since, reason }: Loss): string {
  const line = {
    level: 'warn',
    time: new Date().toISOString(),
    context,
    dropped: lines,
    since: since.toISOString(),
    reason,
    msg: `${lines} log lines could not be written and were dropped`,
  }
  return `${JSON.stringify(line)}\n`
}
