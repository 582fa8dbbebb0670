import { z } from 'zod'
import { requiredText, strictFields, version } from '../kernel/fields.ts'
import { idParams, listQuery, pageOf } from '../kernel/paging.ts'
import { defineRoute } from '../kernel/route.ts'
import { mappingLimits } from '../mapping/mapping-limits.ts'

const tag = 'Mappings'

/** Characters of all rows of a mapping together. */
const rowsMaxLength = 262_144

/** A row as it was typed. Whether it can be mapped with is judged where it is used. */
const savedRow = z.object({
  from: z.string(),
  to: z.string(),
  custom_input: z.string(),
  type: z.string(),
  /** What From reads from, in a workflow; absent elsewhere. */
  source: z.string().optional(),
})

const mappingSummary = z.object({
  id: z.number().int(),
  name: z.string(),
  rows_count: z.number().int(),
  version: z.number().int(),
  /** Who saved it last, and when. */
  user_name: z.string(),
  updated_at: z.string(),
})
export type MappingSummary = z.output<typeof mappingSummary>

const mappingRecord = mappingSummary.extend({ rows: z.array(savedRow) })
export type SavedMapping = z.output<typeof mappingRecord>

const savedMappingInput = strictFields({
  name: requiredText(100, 'name'),
  rows: z
    .array(savedRow, { error: 'The rows must be a list.' })
    .min(1, { error: 'Add a row.' })
    .max(mappingLimits.rows, { error: `At most ${mappingLimits.rows} rows are possible.` })
    .refine((rows) => JSON.stringify(rows).length <= rowsMaxLength, {
      error: `The rows may not be longer than ${rowsMaxLength} characters together.`,
    }),
  version,
})
export type SavedMappingInput = z.output<typeof savedMappingInput>

const answer = z.object({ mapping: mappingRecord })

export const listSavedMappings = defineRoute({
  method: 'GET',
  path: '/api/mappings',
  access: 'request.view',
  tag,
  summary: 'Saved mappings, without their rows',
  query: listQuery(['id', 'name', 'updated_at']),
  response: pageOf(mappingSummary),
})

export const showSavedMapping = defineRoute({
  method: 'GET',
  path: '/api/mappings/:id',
  access: 'request.view',
  tag,
  summary: 'A saved mapping with its rows',
  params: idParams,
  response: answer,
})

export const createSavedMapping = defineRoute({
  method: 'POST',
  path: '/api/mappings',
  access: 'request.send',
  tag,
  summary: 'Save mapping rows under a new name',
  status: 201,
  body: savedMappingInput,
  response: answer,
})

export const updateSavedMapping = defineRoute({
  method: 'PUT',
  path: '/api/mappings/:id',
  access: 'request.send',
  tag,
  summary: 'Save a mapping again, as its next version',
  params: idParams,
  body: savedMappingInput,
  response: answer,
})

export const deleteSavedMapping = defineRoute({
  method: 'DELETE',
  path: '/api/mappings/:id',
  access: 'request.send',
  tag,
  summary: 'Delete a saved mapping; what was made with it stays',
  status: 204,
  params: idParams,
})
