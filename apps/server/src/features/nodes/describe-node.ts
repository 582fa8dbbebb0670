import { availableParallelism, loadavg } from 'node:os'
import type { GatewayWorker, NodeState } from '@gatehouse/contract'
import type { Clock } from '../../kernel/clock.ts'
import type { PartEnds } from '../../kernel/http/part-ends.ts'
import type { GatewayLink } from '../../publishing/gateway-link.ts'
import type { Publisher } from '../../publishing/publisher.ts'
import { freeSpace } from './free-space.ts'

export interface DescribedParts {
  publisher: Pick<Publisher, 'published' | 'refusal' | 'faults'>
  gateway: Pick<GatewayLink, 'workers' | 'limits' | 'setServers'> | undefined
  /** Absent where the machine's clock counts. */
  clockOffset?: (() => { ms: number; errorMs: number }) | undefined
  clock: Clock
  dataDir: string
  /** Absent where nothing starts parts of it again. */
  ends?: PartEnds | undefined
}

/** What this server says of itself. */
export async function describeNode(parts: DescribedParts): Promise<NodeState> {
  const { publisher, gateway, clockOffset, clock, dataDir } = parts
  const disk = await freeSpace(dataDir)
  const workers = gateway?.workers()
  const offset = clockOffset?.()
  return {
    revision: publisher.published?.revision ?? null,
    mark: publisher.published?.mark ?? null,
    refusal: publisher.refusal,
    isolated_apis: new Set(publisher.faults.map(({ api_id }) => api_id)).size,
    workers: workers
      ? {
          serving: workers.filter(({ state }) => state === 'serving').length,
          total: workers.length,
        }
      : null,
    in_flight: (workers ?? []).reduce((sum, { in_flight }) => sum + in_flight, 0),
    load: loadOf(),
    clock: offset
      ? { offset_ms: Math.round(offset.ms), error_ms: Math.ceil(offset.errorMs) }
      : null,
    disk,
    open_breakers: openBreakers(workers ?? [], clock.now().getTime()),
    limits: gateway?.limits() ?? null,
    // Only a gateway that runs alone has to report its figures before they are stored.
    lost_requests: 0,
    ends: [...(parts.ends?.list() ?? [])],
  }
}

/** More APIs than this are not named. */
const breakersMax = 1_000

/** By API, over the workers. */
function openBreakers(workers: readonly GatewayWorker[], nowMs: number) {
  const all = workers.flatMap(({ open_breakers }) => open_breakers)
  const ofApis = [...Map.groupBy(all, ({ api_id }) => api_id)].map(([api_id, open]) => ({
    api_id,
    since: new Date(nowMs - Math.max(...open.map(({ open_ms }) => open_ms))).toISOString(),
    workers: open.length,
  }))
  return ofApis.toSorted((one, other) => one.since.localeCompare(other.since)).slice(0, breakersMax)
}

/** Windows counts no load. */
const loadOf = () =>
  process.platform === 'win32'
    ? null
    : Math.round(((loadavg()[0] ?? 0) / availableParallelism()) * 100) / 100
