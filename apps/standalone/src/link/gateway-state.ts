import type { Fleet } from '@gatehouse/gateway/supervisor'
import type { GatewayState } from './link-calls.ts'

/** What is shown of the workers, as it travels. */
export function stateOf(fleet: Fleet): GatewayState {
  const { state, reason, since, timesAway, servers } = fleet.limits
  return {
    workers: fleet
      .workers()
      .map(({ startedAt, rssBytes, inFlight, webSockets, openBreakers, ...worker }) => ({
        ...worker,
        started_at: startedAt.toISOString(),
        rss_bytes: rssBytes,
        in_flight: inFlight,
        web_sockets: webSockets,
        open_breakers: [...openBreakers],
      })),
    limits: { state, reason, since: since.toISOString(), times_away: timesAway, servers },
  }
}
