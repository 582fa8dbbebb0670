import {
  isSameRevision,
  listNodes,
  nodeLives,
  type NodeRecord,
  type NodeState,
  type RevisionId,
} from '@gatehouse/contract'
import type { FastifyInstance } from 'fastify'
import type { Row } from '../../db/tables.ts'
import type { Clock } from '../../kernel/clock.ts'
import { mount } from '../../kernel/mount.ts'
import type { Stores } from '../../stores.ts'
import { lifeOf, silentMsOf } from './node-life.ts'
import { readState } from './nodes-heard.ts'

interface NodeRoutesOptions {
  stores: Pick<Stores, 'nodes' | 'revisions' | 'duties'>
  clock: Clock
  instanceId: string
}

export function nodeRoutes(app: FastifyInstance, { stores, clock, instanceId }: NodeRoutesOptions) {
  mount(app, listNodes, async () => {
    const stored = await stores.revisions.get()
    const now = clock.now()
    const held = Map.groupBy(
      await stores.duties.listHeld(now.toISOString()),
      ({ lease_owner }) => lease_owner,
    )
    const nodes = (await stores.nodes.list()).map((row) => ({
      ...toRecord(row, stored, now),
      leads: (held.get(row.instance_id) ?? []).map(({ name, taken_at }) => ({
        duty: name,
        since: taken_at,
      })),
      is_this: row.instance_id === instanceId,
    }))
    return { ...stored, nodes: nodes.toSorted(byLifeAndName) }
  })
}

function toRecord(
  row: Row<'node'>,
  stored: RevisionId,
  now: Date,
): Omit<NodeRecord, 'is_this' | 'leads'> {
  const { instance_id, name, version, role, started_at, seen_at } = row
  const silentMs = silentMsOf(row, now)
  const state = readState(row.state)
  return {
    id: instance_id,
    name,
    version,
    role,
    life: lifeOf(row, now),
    started_at,
    seen_at,
    silent_seconds: Math.floor(silentMs / 1_000),
    is_current: state !== null && isSameRevision(runningOf(state), stored),
    state,
  }
}

const runningOf = ({ revision, mark }: NodeState) =>
  revision === null || mark === null ? null : { revision, mark }

const byLifeAndName = (one: NodeRecord, other: NodeRecord) =>
  nodeLives.indexOf(one.life) - nodeLives.indexOf(other.life) ||
  one.name.localeCompare(other.name) ||
  one.id.localeCompare(other.id)
