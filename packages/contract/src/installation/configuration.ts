import { z } from 'zod'
import { flag, strictFields } from '../kernel/fields.ts'
import { defineRoute } from '../kernel/route.ts'

/** Characters of a configuration. */
const configurationMaxCharacters = 4 * 1024 * 1024

/** Of a thing that the document has, or that only the installation has. `stays`: it is not in the document. */
const configurationActions = ['add', 'change', 'same', 'remove', 'stays'] as const
export type ConfigurationAction = (typeof configurationActions)[number]

const values = z
  .record(z.string().max(220), z.string().max(300_000))
  .refine((given) => Object.keys(given).length <= 1000, { error: 'At most 1000 values.' })
  .default({})

const body = strictFields({
  document: z
    .string({ error: 'The document must be text.' })
    .refine((value) => value.trim() !== '', { error: 'The document field is required.' })
    .refine((value) => value.length <= configurationMaxCharacters, {
      error: 'The document may not be longer than 4,194,304 characters.',
    }),
  /** Values of its references to secrets: `env:NAME` or `file:PATH`. Without one the stored secret stays. */
  values,
  /** Remove what the document does not have, in the sections that it has. */
  prune: flag,
})

const thing = {
  section: z.string(),
  name: z.string(),
  action: z.enum(configurationActions),
}

const bodyLimitBytes = 12 * 1024 * 1024
const tag = 'Configuration'

/**
 * Each section needs the permission that its screen needs; without it the section is left out, and a
 * comment says so. Equal configurations give equal bytes. Secrets are references.
 */
export const exportConfiguration = defineRoute({
  method: 'GET',
  path: '/api/configuration',
  access: 'api.view',
  tag,
  summary: 'The whole configuration as YAML, without ids and secrets',
  isFile: true,
  answers: 'application/yaml; charset=utf-8',
})

const configurationChange = z.object({
  ...thing,
  /** The fields that differ; their values as JSON, at most 300 characters. */
  fields: z.array(
    z.object({ field: z.string(), before: z.string().nullable(), after: z.string().nullable() }),
  ),
})

/** Refuses a document with errors under `document`: each message begins with the place. */
export const diffConfiguration = defineRoute({
  method: 'POST',
  path: '/api/configuration/diff',
  access: 'api.view',
  tag,
  summary: 'What applying a configuration would add, change and remove; stores nothing',
  bodyLimitBytes,
  body,
  response: z.object({
    things: z.array(configurationChange),
    /** The references to secrets, and whether a value came. */
    references: z.array(z.object({ name: z.string(), is_given: z.boolean() })),
  }),
})

/**
 * One thing after the other, in the order of what they need, each with the checks, the audit event and the
 * permission of its screen. What was refused is named with its place; applying again does the rest.
 */
export const applyConfiguration = defineRoute({
  method: 'POST',
  path: '/api/configuration/apply',
  access: 'api.edit',
  tag,
  summary: 'Make the installation what a configuration says',
  bodyLimitBytes,
  body,
  response: z.object({
    results: z.array(
      z.object({
        ...thing,
        ok: z.boolean(),
        /** Why it was refused, the place first; blank where it was done. */
        message: z.string(),
      }),
    ),
  }),
})
