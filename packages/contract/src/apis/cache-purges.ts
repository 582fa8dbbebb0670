import type { z } from 'zod'
import { acrossFields } from '../kernel/across-fields.ts'
import { choice, strictFields, text } from '../kernel/fields.ts'
import { idParams } from '../kernel/paging.ts'
import { defineRoute } from '../kernel/route.ts'
import { purgeKinds } from './kept-purges.ts'

const problems = {
  path: (value: string) =>
    /^\/[^\s*?#]*\*?$/.test(value)
      ? undefined
      : 'The path must start with / and may end with *, like /orders or /orders/*.',
  tag: (value: string) =>
    /^[^\s,]+$/.test(value) ? undefined : 'The tag must be one word without commas.',
  api: (value: string) => (value === '' ? undefined : 'All answers need no value: leave it blank.'),
}

export const purgeInput = strictFields({
  kind: choice(purgeKinds, 'kind'),
  value: text(500, 'value'),
}).superRefine(
  ...acrossFields<{ kind: (typeof purgeKinds)[number]; value: string }>((given, context) => {
    const { kind, value } = given
    if (kind === undefined || value === undefined) return
    const message = problems[kind](value)
    if (message) context.addIssue({ code: 'custom', path: ['value'], message })
  }),
)

export type PurgeInput = z.output<typeof purgeInput>

export const purgeCache = defineRoute({
  method: 'POST',
  path: '/api/apis/:id/purge-cache',
  access: 'api.edit',
  tag: 'APIs',
  summary: 'Drop kept answers of an API: all of them, those of a path, or those with a tag',
  status: 204,
  params: idParams,
  body: purgeInput,
})
