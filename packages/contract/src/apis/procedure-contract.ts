import { z } from 'zod'
import { idParams } from '../kernel/paging.ts'
import { defineRoute } from '../kernel/route.ts'
import { procedureSignature, resultShapes } from './procedures.ts'

/** `breaking`: callers may notice; `additive`: an addition that callers may ignore. */
const driftKinds = ['breaking', 'additive'] as const
export type DriftKind = (typeof driftKinds)[number]

const contractChange = z.object({
  kind: z.enum(driftKinds),
  /** In words. */
  text: z.string(),
})
export type ContractChange = z.output<typeof contractChange>

const version = z.object({
  signature: procedureSignature,
  /** Null until a call has shown them. */
  shapes: resultShapes.nullable(),
})

/** The signature and result shapes that callers were promised, and what is there now. */
export const procedureContract = z.object({
  method: z.string(),
  /** Null where the database could not be read yet. */
  locked: version.extend({ at: z.string() }).nullable(),
  drift: version
    .extend({ kind: z.enum(driftKinds), seen_at: z.string(), changes: z.array(contractChange) })
    .nullable(),
  checked_at: z.string().nullable(),
  /** Why the last check could not be made. */
  check_failure: z.string().nullable(),
})
export type ProcedureContract = z.output<typeof procedureContract>

export const showProcedureContract = defineRoute({
  method: 'GET',
  path: '/api/apis/:id/procedure',
  access: 'api.view',
  tag: 'Stored procedures',
  summary: 'The contract lock of a stored procedure API',
  params: idParams,
  response: procedureContract,
})

export const checkProcedureContract = defineRoute({
  method: 'POST',
  path: '/api/apis/:id/procedure/check',
  access: 'api.edit',
  tag: 'Stored procedures',
  summary: 'Read the catalogue now and compare',
  params: idParams,
  response: procedureContract,
})

export const acceptProcedureDrift = defineRoute({
  method: 'POST',
  path: '/api/apis/:id/procedure/accept',
  access: 'api.edit',
  tag: 'Stored procedures',
  summary: 'Make what is there now the promise',
  params: idParams,
  response: procedureContract,
})
