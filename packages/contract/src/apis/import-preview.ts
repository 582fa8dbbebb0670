import { z } from 'zod'
import { accesses } from './api-fields.ts'
import { shownParameters } from '../endpoints/endpoint-parameters.ts'
import { methods } from '../endpoints/endpoint-methods.ts'

/** `curl`: a command; `address`: an address that leads to no document. Each of them is one endpoint. */
export const importFormats = ['openapi', 'swagger', 'postman', 'curl', 'address'] as const

/** What came of an operation, or would. `left`: there is an endpoint already that says the same. */
export const importActions = ['create', 'update', 'left'] as const
export type ImportAction = (typeof importActions)[number]

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
export const importCallers = {
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
  ...importCallers,
})

/** How many APIs that have the base URL of a server are offered for it. */
export const importTargetsMax = 20

export const importPreview = z.object({
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
