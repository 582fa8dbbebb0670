import { expect, test } from 'vitest'
import type { Permission } from '@gatehouse/contract'
import { buildAuditEvent } from '../../testing/admin-builders.ts'
import { thingPath } from './audit-event-dialog.tsx'

const holds =
  (...held: Permission[]) =>
  (permission: Permission) =>
    held.includes(permission)
const resolved = buildAuditEvent({ action: 'run.resolve', thing: 'run', thing_id: 7 })

test('a decision about a run leads to the run, for those who may see runs', () => {
  expect(thingPath(resolved, holds('run.view'))).toBe('/dashboard/admin/runs/7')
  expect(thingPath(resolved, holds('audit.view'))).toBeUndefined()
})

test('what is gone, and what has no screen, leads nowhere', () => {
  const all = () => true
  expect(thingPath(buildAuditEvent({ action: 'role.delete' }), all)).toBeUndefined()
  expect(thingPath(buildAuditEvent({ thing: 'call', thing_id: null }), all)).toBeUndefined()
  expect(thingPath(buildAuditEvent({ thing: 'log', thing_id: 1 }), all)).toBeUndefined()
})
