import type { RoundParts } from './round-parts.ts'

interface Measuring extends Pick<RoundParts, 'inTransaction' | 'clock'> {
  /** Bytes of the database. */
  databaseBytes: () => Promise<number>
}

/** Stores what database and archive hold, on the first look of a day. */
export function dailyMeasure({ inTransaction, clock, databaseBytes }: Measuring) {
  let measuredDay = ''
  return async (): Promise<void> => {
    const measured_at = clock.now().toISOString()
    const day = measured_at.slice(0, 10)
    if (day === measuredDay) return
    const database_bytes = await databaseBytes()
    await inTransaction(async ({ archive }) => {
      const { bytes } = await archive.totals()
      await archive.insertSize({ day, measured_at, database_bytes, archive_bytes: bytes })
    })
    measuredDay = day
  }
}
