import { z } from 'zod'
import { accesses } from './api-fields.ts'
import { flag, idMax, requiredText, strictFields, text } from '../kernel/fields.ts'
import { defineRoute } from '../kernel/route.ts'
import { importActions, importCallers, importPreview } from './import-preview.ts'

export {
  importFormats,
  importTargetsMax,
  type ImportAction,
  type ImportPreview,
} from './import-preview.ts'

/** Characters of a document that can be imported. */
const importMaxCharacters = 4 * 1024 * 1024

/** Roles that one import gives access to. */
const importRolesMax = 20

/** Operations of one import, over all its servers. */
export const importOperationsMax = 2000

const document = z
  .string({ error: 'The document must be text.' })
  .refine((value) => value.trim() !== '', { error: 'The document field is required.' })
  .refine((value) => value.length <= importMaxCharacters, {
    error: 'The document may not be longer than 4,194,304 characters.',
  })

/** A server of the preview. */
const serverKey = z.string().max(2100)

const bodyLimitBytes = 12 * 1024 * 1024

/**
 * Refuses a document with errors under `document`: each message begins with the place. An address is asked once by
 * GET, and so is that of a command that reads; for users with `api.create` and `request.send` alone.
 */
export const previewImport = defineRoute({
  method: 'POST',
  path: '/api/import/preview',
  access: 'endpoint.create',
  tag: 'Import',
  summary:
    'What an OpenAPI document, a Postman collection, a curl command or an address would make; stores nothing',
  bodyLimitBytes,
  body: strictFields({
    document,
    /** Base URLs that take the place of the document’s, by the key of the server. */
    api_urls: z.record(serverKey, text(2048, 'base URL')).optional(),
  }),
  response: importPreview,
})

/**
 * Everything in one transaction. New endpoints ask callers for a token, whatever the document says. An API
 * that is there is used as it is; of an endpoint with the same method and path only what the document says
 * is changed. New APIs need `api.create`, changed endpoints `endpoint.edit`, and roles `api-permission.edit`.
 */
export const importDocument = defineRoute({
  method: 'POST',
  path: '/api/import',
  access: 'endpoint.create',
  tag: 'Import',
  summary: 'Make APIs and endpoints of what was previewed, and give roles access to them',
  bodyLimitBytes,
  body: strictFields({
    document,
    apis: z
      .array(
        strictFields({
          key: serverKey,
          /** Absent: the oldest API that has the base URL, or a new one where none has it. Null: a new one. */
          api_id: z.number().int().positive().max(idMax).nullable().optional(),
          /** Of a new API. */
          name: requiredText(100, 'name'),
          /** Blank: the server’s own. */
          api_url: text(2048, 'base URL'),
          operations: z.array(z.string().max(600)).max(importOperationsMax),
        }),
        { error: 'The APIs must be a list.' },
      )
      .min(1, { error: 'Choose an API.' })
      .max(50),
    /** Roles that get access to all of these endpoints, new or not. Needs `api-permission.edit`. */
    roles: z.array(z.number().int().positive().max(idMax)).max(importRolesMax).default([]),
    /** A new API takes over how the command signs in. */
    takes_sign_in: flag,
  }),
  response: z.object({
    apis: z.array(
      z.object({
        id: z.number().int(),
        name: z.string(),
        action: z.enum(['create', 'left']),
        api_access: z.enum(accesses),
      }),
    ),
    endpoints: z.array(
      z.object({
        id: z.number().int(),
        api_id: z.number().int(),
        key: z.string(),
        action: z.enum(importActions),
        ...importCallers,
      }),
    ),
  }),
})
