import { z } from 'zod'
import { idMax, strictFields } from '../kernel/fields.ts'
import { idParams, listQuery, pageOf } from '../kernel/paging.ts'
import { defineRoute } from '../kernel/route.ts'
import { registerFilter } from './register-fields.ts'
import {
  differenceKinds,
  reconciledList,
  reconciliationInput,
  reconciliationLine,
  reconciliationRecord,
  reconciliationResult,
} from './reconciliation-fields.ts'

const tag = 'Reconciliation'
const recordAnswer = z.object({ reconciliation: reconciliationRecord })
const resultParams = idParams.extend({ result: z.coerce.number().int().positive().max(idMax) })

/** A period has at most that many days. */
export const periodDaysMax = 31

export const listReconciliations = defineRoute({
  method: 'GET',
  path: '/api/reconciliations',
  access: 'reconciliation.view',
  tag,
  summary: 'Comparisons of the ERP, the ledger and the authority, each with its last result',
  query: listQuery(['id', 'name', 'next_run_at']).extend({ register: registerFilter }),
  response: pageOf(reconciliationRecord),
})

export const createReconciliation = defineRoute({
  method: 'POST',
  path: '/api/reconciliations',
  access: 'reconciliation.edit',
  tag,
  summary: 'Define a comparison; it runs on behalf of the caller',
  status: 201,
  body: reconciliationInput,
  response: recordAnswer,
})

export const tryReconciledList = defineRoute({
  method: 'POST',
  path: '/api/reconciliations/try',
  access: 'reconciliation.edit',
  tag,
  summary: 'Fetch a list of yesterday and show what is read from it; stores nothing',
  body: strictFields({ list: reconciledList }),
  response: z.object({
    found: z.number().int(),
    /** The first elements. */
    rows: z.array(z.object({ reference: z.string(), amount: z.string().nullable() })),
  }),
})

export const showReconciliation = defineRoute({
  method: 'GET',
  path: '/api/reconciliations/:id',
  access: 'reconciliation.view',
  tag,
  summary: 'One comparison',
  params: idParams,
  response: recordAnswer,
})

export const updateReconciliation = defineRoute({
  method: 'PUT',
  path: '/api/reconciliations/:id',
  access: 'reconciliation.edit',
  tag,
  summary: 'Change a comparison; from now on it runs on behalf of the caller',
  params: idParams,
  body: reconciliationInput,
  response: recordAnswer,
})

export const deleteReconciliation = defineRoute({
  method: 'DELETE',
  path: '/api/reconciliations/:id',
  access: 'reconciliation.edit',
  tag,
  summary: 'Delete a comparison with its results',
  status: 204,
  params: idParams,
})

export const runReconciliation = defineRoute({
  method: 'POST',
  path: '/api/reconciliations/:id/run',
  access: 'reconciliation.run',
  tag,
  summary: 'Compare the days of a period now',
  status: 202,
  params: idParams,
  body: strictFields({ from_day: z.iso.date(), to_day: z.iso.date() }),
  response: z.object({ result: reconciliationResult }),
})

export const listResults = defineRoute({
  method: 'GET',
  path: '/api/reconciliations/:id/results',
  access: 'reconciliation.view',
  tag,
  summary: 'The latest hundred results of a comparison, newest first',
  params: idParams,
  query: listQuery(['id']),
  response: pageOf(reconciliationResult),
})

export const showResult = defineRoute({
  method: 'GET',
  path: '/api/reconciliations/:id/results/:result',
  access: 'reconciliation.view',
  tag,
  summary: 'One result',
  params: resultParams,
  response: z.object({ name: z.string(), result: reconciliationResult }),
})

export const listDifferences = defineRoute({
  method: 'GET',
  path: '/api/reconciliations/:id/results/:result/lines',
  access: 'reconciliation.view',
  tag,
  summary: 'What differs; searched by reference',
  params: resultParams,
  query: listQuery(['id', 'reference']).extend({ kind: z.enum(differenceKinds).optional() }),
  response: pageOf(reconciliationLine),
})

export const exportDifferences = defineRoute({
  method: 'GET',
  path: '/api/reconciliations/:id/results/:result/csv',
  access: 'reconciliation.view',
  tag,
  summary: 'What differs as CSV',
  params: resultParams,
  isFile: true,
  answers: 'text/csv; charset=utf-8',
})
