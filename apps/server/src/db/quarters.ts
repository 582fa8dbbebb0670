import { sql, type RawBuilder } from 'kysely'

// Quarters of an hour, in which the days of every time zone begin, by their first moment: 2026-06-01T08:15:00.000Z.

export const quarterMs = 15 * 60_000

const name = (column: string) => sql.raw(column)

/** The quarter in which the moment in a column lies. In both databases moments are ISO 8601 text in UTC. */
export const quarterOf = (column: string): RawBuilder<string> =>
  sql<string>`substr(${name(column)}, 1, 14) || case
    when substr(${name(column)}, 15, 2) < '15' then '00' when substr(${name(column)}, 15, 2) < '30' then '15'
    when substr(${name(column)}, 15, 2) < '45' then '30' else '45' end || ':00.000Z'`

/** The last moment of the quarter that a column names. */
export const quarterEnd = (column: string): RawBuilder<string> =>
  sql<string>`substr(${name(column)}, 1, 14) || case substr(${name(column)}, 15, 2)
    when '00' then '14' when '15' then '29' when '30' then '44' else '59' end || ':59.999Z'`

/** The quarter in which a moment lies. */
export const startOfQuarter = (moment: Date): string =>
  new Date(Math.floor(moment.getTime() / quarterMs) * quarterMs).toISOString()
