import type { FastifyInstance } from 'fastify'
import type { Publisher } from '../../publishing/publisher.ts'

type Published = Pick<Publisher, 'refusedRevision' | 'faults' | 'unheardMs'>

/** What was last seen of a hold after a restore. */
export interface Holding {
  readonly hold: { backup_made_at: string } | undefined
}

interface HealthOptions {
  version: string
  /** See `GATEWAY_STALE_AFTER`. */
  staleAfterMs: number | null
  /** The server is about to stop, and serves until then. */
  isLeaving?: (() => boolean) | undefined
  /** Absent where this server can do its work without the database, as a gateway that runs alone. */
  isDatabaseAway?: () => boolean
  /** Whether a write was refused because there is no room. */
  isStoreFull?: () => Promise<boolean>
}

/** Nothing was heard from the database for this long, although it is asked each second. */
const awayAfterMs = 5_000

/**
 * `GET /readyz`: 503 before the server stops, while the database is away and this server can't work without it, and
 * where the database was silent for longer than it may be, so that changes of other servers may not have arrived;
 * otherwise 200.
 *
 * `GET /healthz`: 200 while the admin API answers, for load balancers. `status` is `ok` while the gateway runs
 * on what is stored, nothing is held and the database takes changes; otherwise it is `degraded`, and `reasons` say
 * why without names.
 */
export function healthRoutes(
  app: FastifyInstance,
  published: Published,
  holding: Holding,
  options: HealthOptions,
): void {
  const { version, isDatabaseAway, isStoreFull } = options
  app.get('/readyz', { config: { access: 'public' }, schema: { hide: true } }, async (_, reply) => {
    const status = unreadiness(published, options)
    if (!status) return { status: 'ok', version }
    const seconds = Math.floor(published.unheardMs / 1_000)
    const reason =
      status === 'stopping'
        ? 'The server is about to stop.'
        : `The database has not answered for ${seconds} seconds.`
    return reply.code(503).send({ status, version, reasons: [reason] })
  })

  app.get('/healthz', { config: { access: 'public' }, schema: { hide: true } }, async () => {
    const reasons = [
      ...(isDatabaseAway?.() ? ['The database is away.'] : []),
      ...((await isStoreFull?.()) ? ['The disk is full.'] : []),
      ...reasonsOf(published),
      ...reasonsOfHold(holding),
    ]
    return reasons.length === 0
      ? { status: 'ok', version }
      : { status: 'degraded', version, reasons }
  })
}

/** Undefined: it is ready. */
function unreadiness(
  { unheardMs }: Published,
  { staleAfterMs, isLeaving, isDatabaseAway }: HealthOptions,
): 'stopping' | 'away' | 'stale' | undefined {
  if (isLeaving?.()) return 'stopping'
  if (isDatabaseAway && (isDatabaseAway() || unheardMs > awayAfterMs)) return 'away'
  return staleAfterMs !== null && unheardMs > staleAfterMs ? 'stale' : undefined
}

function reasonsOf({ refusedRevision, faults }: Published): string[] {
  const reasons: string[] = []
  if (refusedRevision === 0) reasons.push('The configuration could not be read from the database.')
  else if (refusedRevision !== undefined)
    reasons.push(`Configuration ${refusedRevision} is not in force.`)
  const isolated = new Set(faults.map(({ api_id }) => api_id)).size
  if (isolated === 1) reasons.push('1 API can’t be read in whole and is not served in whole.')
  else if (isolated > 1)
    reasons.push(`${isolated} APIs can’t be read in whole and are not served in whole.`)
  return reasons
}

const reasonsOfHold = ({ hold }: Holding) =>
  hold === undefined
    ? []
    : [`held: restored from a backup of ${hold.backup_made_at}, and not released yet.`]
