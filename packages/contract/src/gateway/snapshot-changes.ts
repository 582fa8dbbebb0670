import { z } from 'zod'
import {
  isSameRevision,
  snapshotApi,
  snapshotEndpoint,
  snapshotFormat,
  snapshotIssuer,
  snapshotRevision,
  snapshotRole,
  snapshotToken,
  type ConfigSnapshot,
} from './snapshot.ts'

const id = z.number().int().positive()

/** What one configuration has and an earlier one, `base`, has not: parts whole, and the ids of removed ones. */
export const snapshotChanges = z.object({
  format: z.literal(snapshotFormat),
  base: z.object(snapshotRevision),
  ...snapshotRevision,
  built_at: z.iso.datetime(),
  apis: z.array(snapshotApi),
  removed_apis: z.array(id),
  endpoints: z.array(snapshotEndpoint),
  removed_endpoints: z.array(id),
  tokens: z.array(snapshotToken),
  removed_tokens: z.array(id),
  /** Absent in what an earlier release has kept. */
  issuers: z.array(snapshotIssuer).default([]),
  removed_issuers: z.array(id).default([]),
  access: z.array(snapshotRole),
  removed_roles: z.array(id),
  super_admin_role_id: id.nullable(),
})
export type SnapshotChanges = z.output<typeof snapshotChanges>

/** The configuration that `changes` lead to. Throws where they were made for another one than this. */
export function withChanges(snapshot: ConfigSnapshot, changes: SnapshotChanges): ConfigSnapshot {
  const { format, base, revision, mark, built_at, super_admin_role_id } = changes
  if (!isSameRevision(snapshot, base))
    throw new Error(`The changes are of revision ${base.revision}, not of ${snapshot.revision}.`)
  return {
    format,
    revision,
    mark,
    built_at,
    apis: replaceParts(snapshot.apis, byId, changes.apis, changes.removed_apis),
    endpoints: replaceParts(snapshot.endpoints, byId, changes.endpoints, changes.removed_endpoints),
    tokens: replaceParts(snapshot.tokens, byId, changes.tokens, changes.removed_tokens),
    issuers: replaceParts(snapshot.issuers, byId, changes.issuers, changes.removed_issuers),
    access: replaceParts(snapshot.access, byRole, changes.access, changes.removed_roles),
    super_admin_role_id,
  }
}

const byId = (part: { id: number }) => part.id
const byRole = (part: { role_id: number }) => part.role_id

/** Changed parts stay where they were, and new ones come last. The same list where nothing changes. */
export function replaceParts<T>(
  parts: T[],
  idOf: (part: T) => number,
  changed: readonly T[],
  removed: readonly number[],
): T[] {
  if (changed.length === 0 && removed.length === 0) return parts
  const waiting = new Map(changed.map((part) => [idOf(part), part]))
  const gone = new Set(removed)
  const result: T[] = []
  for (const part of parts) {
    const own = idOf(part)
    const other = waiting.get(own)
    if (other !== undefined) waiting.delete(own)
    if (other !== undefined) result.push(other)
    else if (!gone.has(own)) result.push(part)
  }
  for (const part of waiting.values()) result.push(part)
  return result
}
