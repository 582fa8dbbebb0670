import {
  snapshotFormat,
  snapshotToken,
  superAdminRole,
  type ConfigSnapshot,
  type GatewayStatus,
  type SnapshotChanges,
  type SnapshotRole,
  type SnapshotToken,
} from '@gatehouse/contract'
import type { Db } from '../db/connect.ts'
import { readAtOneMoment } from '../db/dialect.ts'
import type { Clock } from '../kernel/clock.ts'
import { readable } from '../kernel/readable.ts'
import type { SecretBox } from '../kernel/secret-box.ts'
import { createStores, type Stores } from '../stores.ts'
import { addressesOf } from '../features/roles/role-addresses.ts'
import { isPublishable, toSnapshotApi } from './snapshot-api.ts'
import { toSnapshotEndpoint } from './snapshot-endpoint.ts'
import { toSnapshotIssuer } from './snapshot-issuer.ts'

export interface BuiltSnapshot {
  snapshot: ConfigSnapshot
  /** What could not be read, by API: see `ApiFault`. */
  faults: GatewayStatus['faults']
  /** They lead to it from the one that was read before; absent where everything was read. */
  changes?: SnapshotChanges
}

/**
 * The configuration of this moment, whole, with its secrets opened. Where something can't be read,
 * only its API is isolated or left out, so that a revocation is published whatever else is broken.
 */
export function buildSnapshot(db: Db, secrets: SecretBox, clock: Clock): Promise<BuiltSnapshot> {
  return readAtOneMoment(db, (transaction) =>
    buildWhole(createStores(transaction, clock), secrets, clock.now().toISOString()),
  )
}

/** The same with the stores of a transaction. */
export async function buildWhole(
  stores: Stores,
  secrets: SecretBox,
  builtAt: string,
): Promise<BuiltSnapshot> {
  const rows = await readRows(stores, builtAt)
  const { apis, endpoints, faults } = readableRows(rows, secrets)
  const snapshot: ConfigSnapshot = {
    format: snapshotFormat,
    ...rows.revision,
    built_at: builtAt,
    apis,
    endpoints,
    tokens: toTokens(rows.tokens, rows.memberships, secrets),
    issuers: rows.issuers.flatMap((row) => toSnapshotIssuer(row) ?? []),
    access: toAccess(rows.grants, rows.limitedRoles),
    super_admin_role_id: rows.superAdmin?.id ?? null,
  }
  return { snapshot, faults }
}

/** A worker takes a snapshot whole or not at all: so what it would refuse is left out here. */
function readableRows(rows: Rows, secrets: SecretBox) {
  const drafts = new Map(rows.drafts.map((draft) => [draft.api_id, draft]))
  const all = rows.apis.map((row) => toSnapshotApi(row, secrets, drafts.get(row.id)))
  const apis = all.filter(isPublishable)
  const names = new Map(apis.map(({ id, name }) => [id, name]))
  const faults = all.flatMap(({ id, name, fault }) =>
    fault === null ? [] : [{ api_id: id, name, fault }],
  )
  const unreadable = new Set<number>()
  const endpoints = rows.endpoints.flatMap((row) => {
    if (!names.has(row.api_id)) return []
    const endpoint = toSnapshotEndpoint(row)
    if (endpoint === undefined) unreadable.add(row.api_id)
    return endpoint ?? []
  })
  for (const api_id of unreadable)
    faults.push({ api_id, name: names.get(api_id) ?? '', fault: 'endpoint' })
  return { apis, endpoints, faults }
}

async function readRows(stores: Stores, now: string) {
  return {
    revision: await stores.revisions.get(),
    superAdmin: await stores.roles.findByName(superAdminRole),
    apis: (await stores.apis.listAll()).toSorted((one, other) => one.id - other.id),
    drafts: await stores.apiDrafts.listAll(),
    endpoints: await stores.endpoints.listAll(),
    tokens: await stores.tokens.listValid(now),
    issuers: await stores.issuers.listServed(),
    memberships: await stores.roles.listMemberships(),
    grants: await stores.access.listGrants(),
    limitedRoles: await stores.roles.listLimited(),
  }
}

type Rows = Awaited<ReturnType<typeof readRows>>

export function toTokens(
  tokens: Rows['tokens'],
  memberships: Rows['memberships'],
  secrets: SecretBox,
) {
  const roles = Map.groupBy(memberships, ({ user_id }) => user_id)
  return tokens.flatMap(
    (row) =>
      toToken(
        row,
        (roles.get(row.user_id) ?? []).map(({ role_id }) => role_id),
        secrets,
      ) ?? [],
  )
}

/** Undefined where only hands can have written it so: that token is refused, and not the whole snapshot. */
function toToken(
  row: Rows['tokens'][number],
  role_ids: number[],
  secrets: SecretBox,
): SnapshotToken | undefined {
  const { id, token_hash: digest, user_id, expires_at } = row
  try {
    const limits: unknown = row.limits === null ? null : JSON.parse(row.limits)
    const signing_secret = openSigningSecret(row, secrets)
    return snapshotToken.parse({
      id,
      digest,
      user_id,
      expires_at,
      role_ids,
      signing_secret,
      limits,
    })
  } catch {
    return undefined
  }
}

/** Null where it can't be opened: the token still counts where nothing has to be signed. */
function openSigningSecret({ id, signing_secret }: Rows['tokens'][number], secrets: SecretBox) {
  if (signing_secret === null) return null
  try {
    return secrets.open(signing_secret, {
      table: 'personal_token',
      row: id,
      field: 'signing_secret',
    })
  } catch {
    return null
  }
}

/** Without a role whose addresses can't be read: it counts nowhere. */
export function toAccess(grants: Rows['grants'], limited: Rows['limitedRoles']): SnapshotRole[] {
  const limits = new Map(limited.map((role) => [role.id, role]))
  return [...Map.groupBy(grants, ({ id }) => id)].flatMap(([role_id, held]) => {
    const own = { role_id, endpoint_ids: held.map(({ endpoint_id }) => endpoint_id) }
    const role = limits.get(role_id)
    if (role === undefined) return own
    const addresses = readable(() => addressesOf(role))
    return addresses === undefined ? [] : { ...own, addresses }
  })
}
