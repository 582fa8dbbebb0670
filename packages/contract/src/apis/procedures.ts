import { z } from 'zod'
import { apiFields } from './api-fields.ts'
import { tlsModes } from './database-drivers.ts'
import { idParams } from '../kernel/paging.ts'
import { acrossFields } from '../kernel/across-fields.ts'
import { defineRoute } from '../kernel/route.ts'

/** A procedure as the database's catalogue describes it. */
export const procedureSignature = z.object({
  schema: z.string(),
  name: z.string(),
  parameters: z.array(
    z.object({
      name: z.string(),
      direction: z.enum(['in', 'out', 'inout']),
      /** The database's own name of the type. */
      type: z.string(),
      precision: z.number().int().nullable(),
      scale: z.number().int().nullable(),
      maxLength: z.number().int().nullable(),
      hasDefault: z.boolean(),
    }),
  ),
  /** Declares that it changes no data. */
  isReadOnly: z.boolean(),
})
export type ProcedureSignatureRecord = z.output<typeof procedureSignature>

/** Names and types of the columns, record set by record set. */
export const resultShapes = z.array(z.array(z.object({ name: z.string(), type: z.string() })))
export type ResultShapes = z.output<typeof resultShapes>

const { shape } = apiFields

/** Where a database is and how to sign in, as the API form has it. */
const connection = z
  .object({
    driver: shape.driver,
    host: shape.host,
    port: shape.port,
    database: shape.database,
    username: shape.username,
    password: shape.password,
    db_tls: shape.db_tls,
    db_ca: shape.db_ca,
    connect_timeout_ms: shape.connect_timeout_ms,
  })
  .superRefine(
    ...acrossFields<Record<string, unknown>>((given, context) => {
      for (const field of ['driver', 'host', 'port', 'database', 'username']) {
        if ((given[field] ?? '') !== '') continue
        context.addIssue({
          code: 'custom',
          path: [field],
          message: `The ${field} field is required.`,
        })
      }
    }),
  )
export type ProcedureConnectionInput = z.output<typeof connection>

const tested = z.object({
  procedures: z.array(
    procedureSignature.extend({
      /** As the field “Stored Procedure method” takes it. */
      method: z.string(),
    }),
  ),
  /** False beyond the first 1,000. */
  is_complete: z.boolean(),
  tls: z.enum(tlsModes),
  duration_ms: z.number(),
})
export type TestedConnection = z.output<typeof tested>

export const testConnection = defineRoute({
  method: 'POST',
  path: '/api/apis/test-connection',
  access: 'api.create',
  tag: 'Stored procedures',
  summary: 'Connect to a database and list its procedures, before anything is saved',
  body: connection,
  response: tested,
})

/** A blank password means the stored one, if driver, host, port and TLS are as stored. */
export const testStoredConnection = defineRoute({
  method: 'POST',
  path: '/api/apis/:id/test-connection',
  access: 'api.edit',
  tag: 'Stored procedures',
  summary: 'The same with what the form of a saved API holds',
  params: idParams,
  body: connection,
  response: tested,
})

const sample = connection.safeExtend({
  func_name: shape.func_name.refine((value) => value !== '', {
    error: 'The stored procedure method field is required.',
  }),
  /** JSON object: values by parameter name. Blank is none. */
  values: z
    .union([z.string(), z.null()], { error: 'The values must be JSON text.' })
    .optional()
    .transform((value) => value ?? '')
    .refine((value) => value.length <= 1024 * 1024, {
      error: 'The values may not be longer than 1 MiB.',
    }),
})

const sampled = z.object({
  /** `{recordsets, output, returnValue, rowsAffected}`, numbers exact. */
  body: z.unknown(),
  columns: resultShapes,
  /** False where the procedure ended the transaction itself: then what it did stays. */
  is_rolled_back: z.boolean(),
  duration_ms: z.number(),
})

export const runSample = defineRoute({
  method: 'POST',
  path: '/api/apis/run-sample',
  access: 'api.create',
  tag: 'Stored procedures',
  summary: 'Call a procedure in a transaction that is rolled back',
  bodyLimitBytes: 2 * 1024 * 1024,
  hasExactNumbers: true,
  body: sample,
  response: sampled,
})

export const runStoredSample = defineRoute({
  method: 'POST',
  path: '/api/apis/:id/run-sample',
  access: 'api.edit',
  tag: 'Stored procedures',
  summary: 'The same with what the form of a saved API holds',
  bodyLimitBytes: 2 * 1024 * 1024,
  hasExactNumbers: true,
  params: idParams,
  body: sample,
  response: sampled,
})
