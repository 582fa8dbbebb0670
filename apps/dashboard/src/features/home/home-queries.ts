import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { runQueries } from '../../entities/run/run-queries.ts'
import { call } from '../../lib/calls/call.ts'

/** Nothing is fetched while the page is in the background. */
const homeRefreshMs = 30_000

/** The reader's own time zone, in which days begin. */
const zoneOf = () => new Intl.DateTimeFormat().resolvedOptions().timeZone

export const homeQueries = {
  /** `register`: of the documents; blank: every one. */
  show: (register = '') => {
    const zone = zoneOf()
    return queryOptions({
      queryKey: ['home', zone, register],
      queryFn: ({ signal }) => call('GET /api/home', { query: { zone, register }, signal }),
      placeholderData: keepPreviousData,
      refetchInterval: homeRefreshMs,
    })
  },
  /** Runs that need a person, the oldest first. */
  oldestWork: () => ({
    ...runQueries.list({ work: 'open', sort: 'created_at', limit: 5 }),
    refetchInterval: homeRefreshMs,
  }),
  /** Runs that a person has to release before they are sent, the oldest first. */
  oldestReleases: () => ({
    ...runQueries.list({ state: 'waits_for_release', sort: 'created_at', limit: 5 }),
    refetchInterval: homeRefreshMs,
  }),
}
