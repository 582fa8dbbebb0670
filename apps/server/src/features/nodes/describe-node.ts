import { availableParallelism, loadavg } from 'node:os'
import type { NodeState } from '@gatehouse/contract'
import type { GatewayLink } from '../../publishing/gateway-link.ts'
import type { Publisher } from '../../publishing/publisher.ts'

export interface DescribedParts {
  publisher: Pick<Publisher, 'published' | 'refusal' | 'faults'>
  gateway: Pick<GatewayLink, 'workers'> | undefined
  /** Absent where the machine's clock counts. */
  clockOffset?: (() => { ms: number; errorMs: number }) | undefined
}

/** What this server says of itself. */
export function describeNode({ publisher, gateway, clockOffset }: DescribedParts): NodeState {
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
  }
}

/** Windows counts no load. */
const loadOf = () =>
  process.platform === 'win32'
    ? null
    : Math.round(((loadavg()[0] ?? 0) / availableParallelism()) * 100) / 100
