import type { GatewayStatus, TrafficAnswer } from '@gatehouse/contract'

/** An hour without calls. */
export const buildTraffic = (): TrafficAnswer => ({
  range: 'hour',
  step_seconds: 60,
  series: [],
  totals: {
    requests: 0,
    errors: 0,
    refused: 0,
    p50: null,
    p95: null,
    p99: null,
    bytes_in: 0,
    bytes_out: 0,
    unmatched: 0,
    cache: { hits: 0, misses: 0, saved_ms: 0 },
  },
  busiest: [],
  failing: [],
  failing_now: [],
  open_breakers: [],
})

/** One worker that serves the newest configuration. */
export const buildGateway = (): GatewayStatus => ({
  revision: 12,
  mark: 'eV3nT1',
  published_revision: 12,
  published_mark: 'eV3nT1',
  published_at: '2026-06-01T08:00:00.000Z',
  workers: [
    {
      id: 1,
      pid: 4_242,
      state: 'serving',
      revision: 12,
      mark: 'eV3nT1',
      started_at: '2026-06-01T07:00:00.000Z',
      restarts: 0,
      rss_bytes: 60_000_000,
      in_flight: 0,
      web_sockets: 0,
      open_breakers: [],
    },
  ],
  refusal: null,
  faults: [],
  address: '127.0.0.1:8080',
  all_servers: { gateways: 1, workers: { serving: 1, total: 1 }, in_flight: 0 },
  gateway_url: 'http://localhost:8080',
})
