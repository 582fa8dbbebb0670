import type { NodeRecord, NodeState } from '@gatehouse/contract'
import { formatBytes } from '../../lib/format/format-bytes.ts'

/** How long a server has said nothing, in the largest unit that fits. */
export function silenceWords(seconds: number): string {
  if (seconds < 60) return `${seconds} s ago`
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ago`
  return `${Math.floor(seconds / 3_600)} h ago`
}

/** How far a machine's clock is off, and how exactly that is known. */
export function clockWords(clock: NodeState['clock']): string {
  if (clock === null) return 'clock of its own'
  const { offset_ms: ms, error_ms: errorMs } = clock
  const size = Math.abs(ms)
  if (size <= Math.max(errorMs, 50)) return 'clock is right'
  const amount = size < 10_000 ? `${size} ms` : `${Math.round(size / 1_000)} s`
  return `clock ${amount} ${ms > 0 ? 'ahead' : 'behind'}`
}

/** From here on logs of several machines are hard to read side by side. */
const clockOffMs = 5_000
export const isClockOff = (clock: NodeState['clock']): boolean =>
  clock !== null && Math.abs(clock.offset_ms) > clockOffMs

export const workerWords = (workers: NodeState['workers']): string =>
  workers === null
    ? 'no gateway'
    : workers.serving === workers.total
      ? workers.total === 1
        ? '1 worker'
        : `${workers.total} workers`
      : `${workers.serving} of ${workers.total} workers`

/** How much room is left, and its share of the disk. */
export function diskWords(disk: NodeState['disk']): string {
  if (disk === null || disk.total_bytes === 0) return 'free disk not known'
  const share = Math.round((disk.free_bytes * 100) / disk.total_bytes)
  return `${formatBytes(disk.free_bytes, 'decimal')} free (${share}\u00a0%)`
}

/** Below this share the rule for disks raises an alarm, unless it was changed. */
const diskLowPercent = 10
export const isDiskLow = (disk: NodeState['disk']): boolean =>
  disk !== null && disk.free_bytes * 100 < disk.total_bytes * diskLowPercent

export const breakerWords = (count: number): string =>
  count === 1 ? '1 circuit breaker open' : `${count} circuit breakers open`

/** Parts of a server that were started again. */
export const endWords = (count: number): string =>
  count === 1 ? 'a part ended once' : `parts ended ${count} times`

export const lossWords = (requests: number): string =>
  requests === 1
    ? 'figures lack 1 request'
    : `figures lack ${requests.toLocaleString('en')} requests`

/** How a server counts rate limits; blank where it is the only one. */
export function limitWords(limits: NodeState['limits']): string {
  if (limits === null) return ''
  const { state, servers } = limits
  if (state === 'shared') return 'limits in Redis'
  const share = servers > 1 ? `1/${servers} of limits` : 'limits alone'
  if (state === 'off') return servers > 1 ? share : ''
  return `${state === 'away' ? 'Redis is away' : 'looks for Redis'}, ${share}`
}

/** The load of a machine as a share of what its processors can do. */
export const loadWords = (load: number | null): string =>
  load === null ? 'load not known' : `load ${Math.round(load * 100)}\u00a0%`

const roles: Record<string, string> = {
  all: 'all work',
  control: 'control plane',
  gateway: 'gateway alone',
}

/** Another version may know another role. */
export const roleWords = (role: string): string => roles[role] ?? role

const duties: Record<string, string> = {
  alarms: 'Alarms',
  archive: 'Archive',
  'document-counts': 'Document counts',
  reconciliation: 'Reconciliation',
  'search words': 'Search index',
}

/** Another version may know another duty. */
export const dutyWords = (duty: string): string => duties[duty] ?? duty

export const lifeWords: Record<NodeRecord['life'], string> = {
  alive: 'Running',
  silent: 'Silent',
  stopped: 'Stopped',
}
