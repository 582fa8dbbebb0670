import {
  isSameRevision,
  snapshotFormat,
  superAdminRole,
  withChanges,
  type SnapshotApi,
  type SnapshotChanges,
} from '@gatehouse/contract'
import type { Db } from '../db/connect.ts'
import { readAtOneMoment } from '../db/dialect.ts'
import type { Clock } from '../kernel/clock.ts'
import type { SecretBox } from '../kernel/secret-box.ts'
import { createStores, type Stores } from '../stores.ts'
import { buildWhole, toAccess, toTokens, type BuiltSnapshot } from './build-snapshot.ts'
import type { ConfigPart } from './revision-store.ts'
import { isPublishable, toSnapshotApi } from './snapshot-api.ts'
import { toSnapshotEndpoint } from './snapshot-endpoint.ts'
import { toSnapshotIssuer } from './snapshot-issuer.ts'

/** Where more parts have changed, everything is read. */
const partsMax = 1_000

/**
 * Reads the configuration of this moment. What did not change since the last read is taken from that, so that
 * a change costs as much as it changes. Reads must follow each other.
 */
export class SnapshotReader {
  readonly #db: Db
  readonly #secrets: SecretBox
  readonly #clock: Clock
  #last: BuiltSnapshot | undefined

  constructor(db: Db, secrets: SecretBox, clock: Clock) {
    this.#db = db
    this.#secrets = secrets
    this.#clock = clock
  }

  /** See `buildSnapshot`. */
  async read(): Promise<BuiltSnapshot> {
    const builtAt = this.#clock.now().toISOString()
    const last = this.#last
    const built = await readAtOneMoment(this.#db, async (transaction) => {
      const stores = createStores(transaction, this.#clock)
      const changed = last && (await readChanged(stores, this.#secrets, last, builtAt))
      return changed ?? buildWhole(stores, this.#secrets, builtAt)
    })
    this.#last = built
    return built
  }
}

/** Undefined where everything has to be read. */
async function readChanged(
  stores: Stores,
  secrets: SecretBox,
  last: BuiltSnapshot,
  builtAt: string,
): Promise<BuiltSnapshot | undefined> {
  // What is left out may come in by a change of something else.
  if (last.faults.some(({ fault }) => fault === 'context' || fault === 'endpoint')) return undefined
  const revision = await stores.revisions.get()
  if (isSameRevision(revision, last.snapshot)) return undefined
  const touched = await stores.revisions.listSince(last.snapshot, partsMax)
  if (touched === undefined) return undefined
  const { mark: baseMark, revision: baseRevision } = last.snapshot
  const routes = await readRoutes(stores, secrets, last, touched)
  if (routes === undefined) return undefined
  const changes: SnapshotChanges = {
    format: snapshotFormat,
    base: { revision: baseRevision, mark: baseMark },
    ...revision,
    built_at: builtAt,
    ...routes,
    ...(await readTokens(stores, secrets, last, touched, builtAt)),
    ...(await readIssuers(stores, touched)),
    ...(await readAccess(stores, touched)),
    super_admin_role_id: (await stores.roles.findByName(superAdminRole))?.id ?? null,
  }
  const snapshot = withChanges(last.snapshot, changes)
  return { snapshot, changes, faults: faultsOf(snapshot.apis) }
}

const idsOf = (parts: readonly ConfigPart[], kind: ConfigPart['kind']): number[] =>
  parts.flatMap((part) => (part.kind === kind ? [part.thing_id] : []))

/** APIs and endpoints. Undefined where one would be left out: others may depend on it. */
async function readRoutes(
  { apis, apiDrafts, endpoints }: Stores,
  secrets: SecretBox,
  { snapshot: last }: BuiltSnapshot,
  touched: readonly ConfigPart[],
) {
  const [apiIds, endpointIds] = [idsOf(touched, 'api'), idsOf(touched, 'endpoint')]
  const drafts = new Map((await apiDrafts.findAll(apiIds)).map((draft) => [draft.api_id, draft]))
  const newApis = (await apis.findAll(apiIds)).map((row) =>
    toSnapshotApi(row, secrets, drafts.get(row.id)),
  )
  const rows = await endpoints.findAll(endpointIds)
  const newEndpoints = rows.flatMap((row) => toSnapshotEndpoint(row) ?? [])
  if (!newApis.every(isPublishable) || newEndpoints.length < rows.length) return undefined
  const removed_apis = without(apiIds, newApis)
  const removed_endpoints = without(endpointIds, newEndpoints)
  const served = new Set([...last.apis, ...newApis].map(({ id }) => id))
  for (const id of removed_apis) served.delete(id)
  const isWhole = newEndpoints.every(({ api_id }) => served.has(api_id))
  const left = new Set(endpointIds)
  const isOrphaned =
    removed_apis.length > 0 &&
    last.endpoints.some(({ id, api_id }) => !served.has(api_id) && !left.has(id))
  if (!isWhole || isOrphaned) return undefined
  return { apis: newApis, removed_apis, endpoints: newEndpoints, removed_endpoints }
}

async function readTokens(
  { tokens, roles }: Stores,
  secrets: SecretBox,
  { snapshot: last }: BuiltSnapshot,
  touched: readonly ConfigPart[],
  now: string,
) {
  const [ids, userIds] = [idsOf(touched, 'token'), idsOf(touched, 'user')]
  const ofUsers = new Set(userIds)
  const held = last.tokens.filter(
    ({ user_id, expires_at }) => ofUsers.has(user_id) || expires_at <= now,
  )
  const rows =
    ids.length + userIds.length === 0 ? [] : await tokens.listValid(now, { ids, userIds })
  const users = [...new Set(rows.map(({ user_id }) => user_id))]
  const memberships = rows.length === 0 ? [] : await roles.listMemberships(users)
  const valid = toTokens(rows, memberships, secrets)
  const known = new Set([...ids, ...held.map(({ id }) => id)])
  return { tokens: valid, removed_tokens: without([...known], valid) }
}

async function readIssuers({ issuers }: Stores, touched: readonly ConfigPart[]) {
  const ids = idsOf(touched, 'issuer')
  const rows = ids.length === 0 ? [] : await issuers.listServed(ids)
  const served = rows.flatMap((row) => toSnapshotIssuer(row) ?? [])
  return { issuers: served, removed_issuers: without(ids, served) }
}

async function readAccess({ access, roles }: Stores, touched: readonly ConfigPart[]) {
  const roleIds = idsOf(touched, 'role')
  if (roleIds.length === 0) return { access: [], removed_roles: [] }
  const held = toAccess(await access.listGrants(roleIds), await roles.listLimited(roleIds))
  const holders = new Set(held.map(({ role_id }) => role_id))
  return { access: held, removed_roles: roleIds.filter((id) => !holders.has(id)) }
}

function without(ids: readonly number[], found: readonly { id: number }[]): number[] {
  const there = new Set(found.map(({ id }) => id))
  return ids.filter((id) => !there.has(id))
}

const faultsOf = (apis: readonly SnapshotApi[]): BuiltSnapshot['faults'] =>
  apis.flatMap(({ id, name, fault }) => (fault === null ? [] : [{ api_id: id, name, fault }]))
