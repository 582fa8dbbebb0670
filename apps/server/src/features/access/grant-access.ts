import type { BulkAnswer, EndpointBulkChange } from '@gatehouse/contract'
import { AppError } from '../../kernel/app-error.ts'
import type { Actor, KnownRole, Reach } from '../../kernel/caller.ts'
import { changeEach, takeChosen, type Chosen } from '../../kernel/change-each.ts'
import type { Stores } from '../../stores.ts'
import { auditedAccess, auditedPart, existingRole } from './audited-access.ts'

/** Why the caller can't change this role, or undefined; the roles feature decides. */
export type LockedFor = (reach: Reach, role: KnownRole) => string | undefined

export type EndpointsChosen = Chosen<NonNullable<EndpointBulkChange['filter']>>

/** Gives a role access to endpoints beside those that it has, with one audit event of the role. */
export async function grantEndpoints(
  stores: Stores,
  { roleId, chosen }: { roleId: number; chosen: EndpointsChosen },
  actor: Actor,
  lockedFor: LockedFor,
): Promise<BulkAnswer> {
  const { access, audit, endpoints, revisions } = stores
  const role = await existingRole(stores, roleId)
  const locked = lockedFor(await access.reachOf(actor.caller), role)
  if (locked) throw new AppError('permission.denied', { message: locked })
  const held = new Set(await access.listEndpointIdsOf(roleId))
  const added: number[] = []
  const { ids, next_after } = await takeChosen(chosen, endpoints.listIdsAfter)
  const results = await changeEach(ids, {
    find: endpoints.find,
    missing: 'endpoint.not_found',
    nameOf: ({ description }) => description,
    change: ({ id }) => {
      const isNew = held.size < held.add(id).size
      if (isNew) added.push(id)
      return Promise.resolve(isNew)
    },
  })
  if (added.length === 0) return { results, next_after }
  if (!(await access.raiseVersion(roleId, role.access_version)))
    throw new AppError('record.changed')
  const part = await auditedPart(stores, roleId, { opened: added, closed: [] })
  const before = await auditedAccess(stores, roleId, part)
  await access.addEndpoints(roleId, added)
  const after = await auditedAccess(stores, roleId, part)
  const event = { action: 'access.update', thing: 'access', id: roleId, name: role.name } as const
  await audit.record(actor, { ...event, before, after })
  await revisions.bump()
  return { results, next_after }
}
