import { z } from 'zod'
import { apiDefinition } from './api-definition.ts'
import { apiRecord } from './apis.ts'
import { idMax } from '../kernel/fields.ts'
import { idParams } from '../kernel/paging.ts'
import { defineRoute } from '../kernel/route.ts'

/** Tokens that a draft may name. */
const draftTokensMax = 50

/** Settings of an API that only calls with chosen personal tokens reach, until they are published or discarded. */
export const apiDraft = z.object({
  /** As `submitted_data` of an API: the definition as a JSON string, without secrets. */
  submitted_data: z.string(),
  draft_tokens: z.array(z.number().int()),
  draft_version: z.number().int(),
  /** The API was changed after the draft was saved: it can't be published before it is saved again. */
  is_outdated: z.boolean(),
  saved_at: z.string(),
  saved_by: z.string(),
})
export type ApiDraft = z.output<typeof apiDraft>

const draftAnswer = z.object({ draft: apiDraft.nullable() })

export const findApiDraft = defineRoute({
  method: 'GET',
  path: '/api/apis/:id/draft',
  access: 'api.view',
  tag: 'APIs',
  summary: 'The draft of an API; null where it has none',
  params: idParams,
  response: draftAnswer,
})

export const saveApiDraft = defineRoute({
  method: 'PUT',
  path: '/api/apis/:id/draft',
  access: 'api.edit',
  tag: 'APIs',
  summary: 'Save a draft of an API, which only calls with these personal tokens reach',
  params: idParams,
  body: z.intersection(
    apiDefinition,
    z.object({
      draft_tokens: z
        .array(z.number().int().positive().max(idMax))
        .min(1, 'Choose at least one personal token.')
        .max(draftTokensMax),
      /** Of the draft that the form was loaded with; 0: there was none. */
      draft_version: z.number().int().nonnegative(),
    }),
  ),
  response: draftAnswer,
})

const draftVersion = z.object({ draft_version: z.number().int().positive() })

export const publishApiDraft = defineRoute({
  method: 'POST',
  path: '/api/apis/:id/draft/publish',
  access: 'api.edit',
  tag: 'APIs',
  summary: 'Put the draft of an API in force for everybody',
  params: idParams,
  body: draftVersion,
  response: apiRecord,
})

export const discardApiDraft = defineRoute({
  method: 'DELETE',
  path: '/api/apis/:id/draft',
  access: 'api.edit',
  tag: 'APIs',
  summary: 'Discard the draft of an API',
  status: 204,
  params: idParams,
})
