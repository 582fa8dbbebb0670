import { z } from 'zod'
import { documentStates } from './document-states.ts'
import { idMax, moment } from '../kernel/fields.ts'
import { idParams, listQuery, pageOf } from '../kernel/paging.ts'
import { defineRoute } from '../kernel/route.ts'
import { registerFilter } from './register-fields.ts'
import { runRecord } from '../runs/run-summary.ts'

export { documentStates, type DocumentState } from './document-states.ts'

const documentKinds = ['tax', 'credit'] as const
export type DocumentKind = (typeof documentKinds)[number]

const documentRecord = z.object({
  id: z.number().int(),
  /** In which it is known once (spec: document-register). */
  register: z.string(),
  reference: z.string(),
  kind: z.enum(documentKinds),
  is_test: z.boolean(),
  state: z.enum(documentStates),
  authority_reference: z.string().nullable(),
  /** The document that a credit note credits. */
  original_reference: z.string().nullable(),
  /** The run that decides the state: the one that holds the document, or held it last. */
  run_id: z.number().int().nullable(),
  runs: z.number().int(),
  created_at: z.string(),
  updated_at: z.string(),
})
export type DocumentRecord = z.output<typeof documentRecord>

const documentRun = runRecord
  .pick({ id: true, kind: true, state: true, user_name: true, created_at: true, finished_at: true })
  .extend({
    /** Position of the step that carried the document, and what it says of it. */
    position: z.number().int(),
    document_state: z.enum(documentStates),
  })
export type DocumentRun = z.output<typeof documentRun>

const documentDetail = documentRecord.extend({
  /** The text of the QR code that the authority answered with. */
  qr: z.string().nullable(),
  /** Newest first, at most 100 each. */
  history: z.array(documentRun),
  credit_notes: z.array(documentRecord),
  /** The document that a credit note credits, where it is known. */
  original: documentRecord.nullable(),
})
export type DocumentDetail = z.output<typeof documentDetail>

export const listDocuments = defineRoute({
  method: 'GET',
  path: '/api/documents',
  access: 'run.view',
  tag: 'Documents',
  summary: 'Documents that runs have sent, newest first',
  query: listQuery(['id', 'reference', 'state', 'updated_at']).extend({
    state: z.enum([...documentStates, '']).optional(),
    kind: z.enum([...documentKinds, '']).optional(),
    /** `1`: test documents only, `0`: none of them. */
    test: z.enum(['0', '1', '']).optional(),
    /** Id of the API that it is sent to. */
    api: z.coerce.number().int().min(0).max(idMax).optional(),
    register: registerFilter,
    /** When it was first sent: days or moments, ISO 8601, UTC; both inclusive. */
    from: moment.or(z.literal('')).optional(),
    to: moment.or(z.literal('')).optional(),
  }),
  response: pageOf(documentRecord),
})

export const showDocument = defineRoute({
  method: 'GET',
  path: '/api/documents/:id',
  access: 'run.view',
  tag: 'Documents',
  summary: 'One document with its runs, its QR text and the credit notes against it',
  params: idParams,
  response: documentDetail,
})
