import type { GatewaySums, NodeLife } from '@gatehouse/contract'
import type { Row } from '../../db/tables.ts'
import { readState } from './nodes-heard.ts'
import { goneAfterMs } from './node-seat.ts'

export const silentMsOf = ({ seen_at }: Row<'node'>, now: Date): number =>
  Math.max(0, now.getTime() - new Date(seen_at).getTime())

export function lifeOf(row: Row<'node'>, now: Date): NodeLife {
  if (row.stopped_at !== null) return 'stopped'
  return silentMsOf(row, now) < goneAfterMs ? 'alive' : 'silent'
}

/** Names of the servers that live, without this one. */
export const namesOfOthers = (rows: readonly Row<'node'>[], instanceId: string, now: Date) =>
  rows
    .filter((row) => row.instance_id !== instanceId && lifeOf(row, now) === 'alive')
    .map(({ name }) => name)
    .toSorted()

/** Gateways that live and run alone. */
export const loneGateways = (rows: readonly Row<'node'>[], now: Date) =>
  rows
    .filter((row) => row.role === 'gateway' && lifeOf(row, now) === 'alive')
    .toSorted((one, other) => one.name.localeCompare(other.name))

/** The servers that live and carry traffic; 1 at least, since each counts itself. */
export const countGateways = (rows: readonly Row<'node'>[], now: Date): number =>
  Math.max(1, rows.filter((row) => lifeOf(row, now) === 'alive' && runsGateway(row)).length)

/** One that says nothing that is understood may well carry traffic. */
const runsGateway = ({ state }: Row<'node'>) => readState(state)?.workers !== null

/** What the gateways of the servers that live do together. */
export function sumGateways(rows: readonly Row<'node'>[], now: Date): GatewaySums {
  const sums: GatewaySums = { gateways: 0, workers: { serving: 0, total: 0 }, in_flight: 0 }
  for (const row of rows) {
    const state = lifeOf(row, now) === 'alive' ? readState(row.state) : null
    if (!state?.workers) continue
    sums.gateways++
    sums.workers.serving += state.workers.serving
    sums.workers.total += state.workers.total
    sums.in_flight += state.in_flight
  }
  return sums
}
