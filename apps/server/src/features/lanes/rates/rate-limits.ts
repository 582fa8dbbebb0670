import type { Row } from '../../../db/tables.ts'
import type { RateLimits } from './rate-windows.ts'

/** The limits of a lane; empty: its calls are not counted. */
export const limitsOf = ({ per_second, per_minute, per_hour }: Row<'lane'>): RateLimits => ({
  ...(per_second === null ? {} : { second: per_second }),
  ...(per_minute === null ? {} : { minute: per_minute }),
  ...(per_hour === null ? {} : { hour: per_hour }),
})

export const isLimited = (limits: RateLimits) => Object.keys(limits).length > 0
