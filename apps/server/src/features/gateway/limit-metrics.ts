import type { NodeLimits } from '@gatehouse/contract'
import { Counter, Gauge, type Registry } from 'prom-client'

/** How this server counts rate limits. */
export function limitMetrics(registry: Registry, limits: () => NodeLimits | undefined): void {
  const single = (name: string, help: string, value: (limits: NodeLimits) => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.reset()
        const now = limits()
        if (now) this.set(value(now))
      },
    })
  single('gateway_limits_shared', '1 where rate limits are counted in Redis.', ({ state }) =>
    state === 'shared' ? 1 : 0,
  )
  single(
    'gateway_limits_redis_away',
    '1 where Redis is set and does not answer in time.',
    ({ state }) => (state === 'away' ? 1 : 0),
  )
  single(
    'gateway_limits_servers',
    'Servers that carry traffic: each has this part of a limit where it is not shared.',
    ({ servers }) => servers,
  )
  const timesAway = new Counter({
    name: 'gateway_limits_redis_away_total',
    help: 'How often Redis went away.',
    registers: [],
    collect() {
      this.reset()
      this.inc(limits()?.times_away ?? 0)
    },
  })
  registry.registerMetric(timesAway)
}
