import { z } from 'zod'
import { documentStates } from '../documents/document-states.ts'
import { idMax, strictFields, text } from '../kernel/fields.ts'

/** What a person may say of one of the documents that a step carries. */
export const documentSayings = ['accepted', 'rejected', 'not_received'] as const
export type DocumentSaying = (typeof documentSayings)[number]

export const saidOfDocument = strictFields({
  id: z.number().int().positive().max(idMax),
  verdict: z.enum(documentSayings, {
    error: 'Say whether it was accepted, rejected or not received.',
  }),
  /** The authority's number, where it was accepted. */
  reference: text(200, 'reference'),
})
export type SaidOfDocument = z.output<typeof saidOfDocument>

/** What a step carries, and what became of it. */
export const stepDocument = z.object({
  id: z.number().int(),
  register: z.string(),
  reference: z.string(),
  state: z.enum(documentStates),
  authority_reference: z.string().nullable(),
  /** What the authority says of it; null where it says nothing. */
  message: z.string().nullable(),
})
