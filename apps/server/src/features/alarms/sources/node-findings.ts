import type { NodeState } from '@gatehouse/contract'
import type { Db } from '../../../db/connect.ts'
import { ago, limitOf, type Asked, type Finding } from '../finding.ts'
import { isApiWithin } from './run-reach.ts'

/** What a server says of itself with each sign of life. */
interface WatchedNode {
  id: string
  name: string
  state: Pick<NodeState, 'disk' | 'open_breakers' | 'ends'>
  starts: readonly string[]
}

/** The servers that gave a sign of life within this time. */
export type NodesHeard = (withinMs: number) => Promise<readonly WatchedNode[]>

/** A full disk, or that it keeps ending, may be what silences a server. */
const troubledHeardMs = 10 * 60_000
/** As long as a server counts as one that lives. */
const breakerHeardMs = 30_000

const partWords = { control: 'control plane', gateway: 'gateway' }

const gigabytes = (bytes: number) => (bytes / 1e9).toFixed(1)

/** What the servers that share the database say: the room on their disks, the breakers in their gateways, and which of
 * their parts have ended. */
export function nodeFindings(db: Db, nodesHeard: NodesHeard) {
  return {
    disk: async ({ now, rule, open }: Asked): Promise<Finding[]> => {
      const least = limitOf(rule, 'percent')
      return (await nodesHeard(troubledHeardMs)).flatMap(({ id, name, state: { disk } }) => {
        const subject = `disk:${id}`
        const known = open.filter((alarm) => alarm.subject === subject)
        // It could not be measured this time: that is no reason to say that there is room.
        if (disk === null) return known
        if (disk.total_bytes === 0) return []
        const percent = (disk.free_bytes * 100) / disk.total_bytes
        if (percent >= least) return []
        const since = known[0]?.since ?? now.toISOString()
        const free = `${gigabytes(disk.free_bytes)} GB (${percent.toFixed(1)} %)`
        const title = `${name}: ${free} are free in ${disk.path}`
        return [{ subject, title, path: '/dashboard/admin/nodes', since }]
      })
    },
    server_stops: async ({ now, rule, open }: Asked): Promise<Finding[]> => {
      const [times, minutes] = [limitOf(rule, 'times'), limitOf(rule, 'minutes')]
      const after = ago(now, minutes)
      return (await nodesHeard(troubledHeardMs)).flatMap(({ id, name, state, ...node }) => {
        const ends = state.ends.filter(({ at }) => at > after)
        const starts = node.starts.filter((at) => at > after)
        const last = ends.at(-1)
        const found =
          last && ends.length >= times
            ? {
                from: ends[0]!.at,
                what: `a part of it ended ${ends.length} times in ${minutes} minutes, last the ${partWords[last.part]}: ${last.reason}`,
              }
            : starts.length >= times
              ? {
                  from: starts[0]!,
                  what: `it was started ${starts.length} times in ${minutes} minutes`,
                }
              : undefined
        if (!found) return []
        const subject = `server:${id}`
        const since = open.find((alarm) => alarm.subject === subject)?.since ?? found.from
        const title = `${name}: ${found.what}`
        return [{ subject, title, path: '/dashboard/admin/nodes', since }]
      })
    },
    breaker: async ({ now, rule, reach, open }: Asked): Promise<Finding[]> => {
      const before = ago(now, limitOf(rule, 'minutes'))
      const found = (await nodesHeard(breakerHeardMs)).flatMap(({ name, state }) =>
        state.open_breakers
          .filter(({ api_id }) => isApiWithin(reach, api_id))
          .map((breaker) => ({ ...breaker, server: name })),
      )
      const known = new Set(open.map(({ subject }) => subject))
      const ofApis = [...Map.groupBy(found, ({ api_id }) => api_id)].filter(
        ([id, each]) => known.has(`api:${id}`) || each.some(({ since }) => since <= before),
      )
      const names = await namesOf(ofApis.map(([id]) => id))
      return ofApis.flatMap(([id, each]) => {
        const name = names.get(id)
        const [first] = each.map(({ since }) => since).toSorted()
        if (name === undefined || first === undefined) return []
        const servers = each.map(({ server }) => server).join(', ')
        const title = `The circuit breaker of ${name} is open on ${servers}`
        return [{ subject: `api:${id}`, title, path: '/dashboard/admin/traffic', since: first }]
      })
    },
  }

  async function namesOf(ids: readonly number[]): Promise<Map<number, string>> {
    if (ids.length === 0) return new Map()
    const rows = await db.selectFrom('api').select(['id', 'name']).where('id', 'in', ids).execute()
    return new Map(rows.map(({ id, name }) => [id, name]))
  }
}
