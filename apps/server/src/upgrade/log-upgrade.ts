import type { Logger } from 'pino'
import type { UpgradeWatch } from './bring-up-to-date.ts'

/** Notes each step of an upgrade in the log, with the time that it took. */
export const logUpgrade = (log: Logger): UpgradeWatch => ({
  onBackup: () => log.info('the database is copied before its upgrade'),
  onBackedUp: (file) => log.info({ file }, 'the database was copied before its upgrade'),
  onBegin: ({ name, number, total }) => log.info({ migration: name, number, total }, 'migrating'),
  onDone: ({ name }, durationMs) =>
    log.info({ migration: name, duration_ms: Math.round(durationMs) }, 'migrated'),
})
