import { z } from 'zod'
import { accesses } from './api-fields.ts'
import { shownParameters } from '../endpoints/endpoint-parameters.ts'
import { methods } from '../endpoints/endpoint-methods.ts'
import { flag, idMax, requiredText, strictFields, text } from '../kernel/fields.ts'
import { defineRoute } from '../kernel/route.ts'

/** Characters of a document that can be imported. */
const importMaxCharacters = 4 * 1024 * 1024

/** Roles that one import gives access to. */
const importRolesMax = 20

/** Operations of one import, over all its servers. */
export const importOperationsMax = 2000

/** `curl`: a command; `address`: an address that leads to no document. Each of them is one endpoint. */
export const importFormats = ['openapi', 'swagger', 'postman', 'curl', 'address'] as const

/** What came of an operation, or would. `left`: there is an endpoint already that says the same. */
const importActions = ['create', 'update', 'left'] as const
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

const importNote = z.object(place)

/** What a document says of an operation. */
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
})

/** Who may call an endpoint after the import, at the API that it is in. */
const callers = {
  /** False: the gateway lets in anyone who reaches it. */
  is_token_required: z.boolean(),
  /** Roles that hold it. Super Admin is not counted, and may always call it. */
  roles_count: z.number().int(),
}

/** What comes of an operation at an API that there is. */
const outcomeThere = z.object({
  key: z.string(),
  action: z.enum(importActions),
  /** Of an update: the fields that differ. */
  changes: z.array(z.string()),
  /** The endpoint that there is. */
  endpoint_id: z.number().int().nullable(),
  ...callers,
})

/** How many APIs that have the base URL of a server are offered for it. */
export const importTargetsMax = 20

const importPreview = z.object({
  format: z.enum(importFormats),
  version: z.string(),
  title: z.string(),
  /** One for each server that the document names. */
  apis: z.array(
    z.object({
      /** The server as the document has it, with the defaults of its variables. */
      key: z.string(),
      /** For a new API: no API is called so. */
      name: z.string(),
      /** The base URL. Blank: the document does not say, and it has to be given. */
      api_url: z.string(),
      description: z.string(),
      /** As a new API they all become new endpoints that ask for a token, and no role holds them. */
      operations: z.array(operation),
      /** APIs that have this base URL, the oldest first, and what comes of the operations there. */
      existing: z.array(
        z.object({
          id: z.number().int(),
          name: z.string(),
          api_access: z.enum(accesses),
          operations: z.array(outcomeThere),
        }),
      ),
    }),
  ),
  /** What is not imported, or not as it is written. */
  notes: z.array(importNote),
  /** The document that the address led to: import this. Null: what was sent. */
  fetched: z.string().nullish(),
  /** What the address answers. Null: it was not asked, see `notes`. */
  answer: z
    .object({
      /** Null: no answer came. */
      status: z.number().int().nullable(),
      problem: z.string().nullable(),
      took_ms: z.number(),
      content_type: z.string(),
      /** Its beginning. */
      body: z.string(),
    })
    .nullish(),
  /** What the command or the address sends beside the path, for a first call. */
  call: z.object({ query: z.string(), body: z.string(), content_type: z.string() }).nullish(),
  /** How the command signs in, which the new API can take over. */
  sign_in: z.enum(['bearer', 'basic', 'headers']).nullish(),
})
export type ImportPreview = z.output<typeof importPreview>

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
        ...callers,
      }),
    ),
  }),
})
