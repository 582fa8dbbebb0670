import { z } from 'zod'
import { auditThings } from './audit-names.ts'
import { idMax, moment } from '../kernel/fields.ts'
import { idParams, listQuery, pageOf } from '../kernel/paging.ts'
import { defineRoute } from '../kernel/route.ts'

/** Things of which an earlier version can be brought back. */
export const restorableThings = ['api', 'endpoint', 'role', 'workflow'] as const

export const auditEvent = z.object({
  id: z.number().int(),
  at: z.string(),
  actor_id: z.number().int().nullable(),
  actor: z.string(),
  address: z.string(),
  request_id: z.string(),
  /** `api.create`, `session.login`, `call.refused` … */
  action: z.string(),
  outcome: z.enum(['done', 'refused']),
  thing: z.enum(auditThings),
  thing_id: z.number().int().nullable(),
  thing_name: z.string(),
  /** How often it happened: repeats of a refusal in one minute share a row. */
  times: z.number().int(),
  /** The record before and after, without secrets; null where there was or is no record. */
  before: z.record(z.string(), z.unknown()).nullable(),
  after: z.record(z.string(), z.unknown()).nullable(),
  can_restore: z.boolean(),
})
export type AuditEvent = z.output<typeof auditEvent>

const auditFilter = {
  actor: z.string().trim().max(200).optional(),
  action: z.string().trim().max(50).optional(),
  thing: z.enum(auditThings).optional(),
  thing_id: z.coerce.number().int().positive().max(idMax).optional(),
  outcome: z.enum(['done', 'refused']).optional(),
  /** Days or moments, ISO 8601, UTC; both inclusive. */
  from: moment.optional(),
  to: moment.optional(),
}

export const listAudit = defineRoute({
  method: 'GET',
  path: '/api/audit',
  access: 'audit.view',
  tag: 'Audit trail',
  summary: 'The audit trail, newest first',
  query: listQuery(['id', 'at', 'actor', 'action']).extend({
    ...auditFilter,
    /** Events of this API and of its endpoints, deleted ones too. */
    api_id: z.coerce.number().int().positive().max(idMax).optional(),
  }),
  response: pageOf(auditEvent),
})

/** What the export is, once it is read as JSON. */
export interface AuditExport {
  filename: string
  csv: string
  is_complete: boolean
}

/** The trail as CSV, at most 50,000 rows: an `AuditExport` as JSON, which is sent as it is read. */
export const exportAudit = defineRoute({
  method: 'GET',
  path: '/api/audit/export',
  access: 'audit.view',
  tag: 'Audit trail',
  summary: 'The audit trail as CSV text, with the same filters',
  query: z.object({ search: z.string().trim().max(200).default(''), ...auditFilter }),
  isFile: true,
  answers: 'application/json; charset=utf-8',
})

const version = z.record(z.string(), z.unknown())

export const previewRestore = defineRoute({
  method: 'GET',
  path: '/api/audit/:id/restore',
  access: 'audit.view',
  tag: 'Audit trail',
  summary:
    'What a restore of the version that this event left behind would change; changes nothing (needs the edit permission of the thing)',
  params: idParams,
  response: z.object({
    /** The record that is in force, without secrets. */
    current: version,
    /** The record after a restore. */
    restored: version,
    is_in_force: z.boolean(),
  }),
})

export const restoreVersion = defineRoute({
  method: 'POST',
  path: '/api/audit/:id/restore',
  access: 'audit.view',
  tag: 'Audit trail',
  summary:
    'Bring back the version of an API, endpoint, role or workflow that this event left behind (needs its edit permission)',
  params: idParams,
  response: z.object({ message: z.string() }),
})
