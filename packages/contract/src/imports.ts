import { z } from 'zod'
import { shownParameters } from './endpoint-parameters.ts'
import { methods } from './endpoint-methods.ts'
import { requiredText, strictFields, text } from './kernel/fields.ts'
import { defineRoute } from './kernel/route.ts'

/** Characters of a document that can be imported. */
export const importMaxCharacters = 4 * 1024 * 1024

/** Operations of one import, over all its servers. */
export const importOperationsMax = 2000

export const importFormats = ['openapi', 'swagger', 'postman'] as const

/** What came of an operation, or would. `left`: there is an endpoint already that says the same. */
export const importActions = ['create', 'update', 'left'] as const
export type ImportAction = (typeof importActions)[number]

const document = z
  .string({ error: 'The document must be text.' })
  .refine((value) => value.trim() !== '', { error: 'The document field is required.' })
  .refine((value) => value.length <= importMaxCharacters, {
    error: 'The document may not be longer than 4,194,304 characters.',
  })

const place = {
  message: z.string(),
  /** JSON pointer (RFC 6901). */
  pointer: z.string(),
  line: z.number().int().nullable(),
  column: z.number().int().nullable(),
}

export const importNote = z.object(place)
export type ImportNote = z.output<typeof importNote>

const operation = z.object({
  /** Method and path: `GET /orders/{id}`. */
  key: z.string(),
  method_type: z.enum(methods),
  path: z.string(),
  summery: z.string(),
  description: z.string(),
  parameters: shownParameters,
  pointer: z.string(),
  line: z.number().int().nullable(),
  action: z.enum(importActions),
  /** Of an update: the fields that differ. */
  changes: z.array(z.string()),
  /** The endpoint that there is. */
  endpoint_id: z.number().int().nullable(),
})
export type ImportOperation = z.output<typeof operation>

export const importPreview = z.object({
  format: z.enum(importFormats),
  version: z.string(),
  title: z.string(),
  /** One for each server that the document names. */
  apis: z.array(
    z.object({
      /** The server as the document has it, with the defaults of its variables. */
      key: z.string(),
      name: z.string(),
      /** Blank: the document does not say, and it has to be given. */
      api_url: z.string(),
      description: z.string(),
      /** The API that there is for this base URL; null: it is made. */
      api: z.object({ id: z.number().int(), name: z.string() }).nullable(),
      operations: z.array(operation),
    }),
  ),
  /** What is not imported, or not as it is written. */
  notes: z.array(importNote),
})
export type ImportPreview = z.output<typeof importPreview>

const bodyLimitBytes = 12 * 1024 * 1024

/** Refuses a document with errors under `document`: each message begins with the place. */
export const previewImport = defineRoute({
  method: 'POST',
  path: '/api/import/preview',
  access: 'endpoint.create',
  tag: 'Import',
  summary: 'What an OpenAPI document or a Postman collection would make; stores nothing',
  bodyLimitBytes,
  body: strictFields({ document }),
  response: importPreview,
})

/**
 * Everything in one transaction. An API that has the base URL already is used as it is; of an endpoint
 * with the same method and path only what the document says is changed. New APIs need `api.create`,
 * changed endpoints `endpoint.edit`.
 */
export const importDocument = defineRoute({
  method: 'POST',
  path: '/api/import',
  access: 'endpoint.create',
  tag: 'Import',
  summary: 'Make APIs and endpoints of an OpenAPI document or a Postman collection',
  bodyLimitBytes,
  body: strictFields({
    document,
    apis: z
      .array(
        strictFields({
          /** A server of the preview. */
          key: z.string().max(2100),
          name: requiredText(100, 'name'),
          /** Blank: the server’s own. */
          api_url: text(2048, 'base URL'),
          operations: z.array(z.string().max(600)).max(importOperationsMax),
        }),
        { error: 'The APIs must be a list.' },
      )
      .min(1, { error: 'Choose an API.' })
      .max(50),
  }),
  response: z.object({
    apis: z.array(
      z.object({ id: z.number().int(), name: z.string(), action: z.enum(['create', 'left']) }),
    ),
    endpoints: z.array(
      z.object({ id: z.number().int(), key: z.string(), action: z.enum(importActions) }),
    ),
  }),
})
