import { z } from 'zod'
import { registerMax } from '../apis/api-fields.ts'
import { defineRoute } from '../kernel/route.ts'

/** Of a list: what belongs to this document register; blank: to any. */
export const registerFilter = z.string().trim().max(registerMax).default('')

const documentRegister = z.object({
  name: z.string(),
  /** Those whose documents go there, by name; none where only documents of before are left. */
  apis: z.array(z.object({ id: z.number().int(), name: z.string() })),
})
export type DocumentRegister = z.output<typeof documentRegister>

export const listDocumentRegisters = defineRoute({
  method: 'GET',
  path: '/api/document-registers',
  access: 'session',
  tag: 'Documents',
  summary: 'Document registers by name, with the APIs that share each',
  response: z.object({ registers: z.array(documentRegister) }),
})
