import type { Logger } from 'pino'
import type { UpgradeWatch } from './bring-up-to-date.ts'

/** Notes each step of an upgrade in the log, with the time that it took, and tells the step that is under way. */
export const watchUpgrade = (log: Logger, tell: (step: string) => void): UpgradeWatch => ({
  onBackup: () => {
    tell('copy of the database before its upgrade')
    log.info('the database is copied before its upgrade')
  },
  onBackedUp: (file) => log.info({ file }, 'the database was copied before its upgrade'),
  onNotBackedUp: (reason) =>
    log.warn({ reason }, 'the database is upgraded without a dump of what it was'),
  onBegin: ({ name, number, total }) => {
    tell(`migration ${name} (${number} of ${total})`)
    log.info({ migration: name, number, total }, 'migrating')
  },
  onDone: ({ name }, durationMs) =>
    log.info({ migration: name, duration_ms: Math.round(durationMs) }, 'migrated'),
})
