import { z } from 'zod'
import {
  choice,
  flag,
  optionalInteger,
  requiredText,
  strictFields,
  text,
  typedSecret,
} from '../kernel/fields.ts'
import { acrossFields } from '../kernel/across-fields.ts'
import { idParams } from '../kernel/paging.ts'
import { defineRoute } from '../kernel/route.ts'
import { runStates } from '../runs/run-summary.ts'
import {
  hookEncodings,
  hookPresets,
  hookRecord,
  hookSigned,
  type HookPreset,
  type HookScheme,
} from './hook-fields.ts'
import { webhookSecretProblem } from './webhook-secret.ts'

const headerName = (label: string) =>
  text(100, label)
    .transform((value) => value.toLowerCase())
    .refine((value) => /^[a-z0-9-]*$/.test(value), {
      error: `The ${label} may hold letters, digits and dashes.`,
    })

const schemeInput = strictFields({
  header: headerName('header').refine((value) => value !== '', { error: 'Name the header.' }),
  prefix: text(50, 'prefix'),
  encoding: choice(hookEncodings, 'encoding'),
  signed: choice(hookSigned, 'signed part'),
  timestamp_header: headerName('timestamp header'),
  id_header: headerName('id header'),
}).superRefine(
  ...acrossFields<HookScheme>(({ signed, timestamp_header, id_header }, context) => {
    const refuse = (field: string, message: string) =>
      context.addIssue({ code: 'custom', path: [field], message })
    if (signed && signed !== 'body' && timestamp_header === '')
      refuse('timestamp_header', 'Name the header with the timestamp that is signed.')
    if (signed === 'id.timestamp.body' && id_header === '')
      refuse('id_header', 'Name the header with the id that is signed.')
  }),
)

const secretMin = 16

/**
 * Without `secret` the stored one stays; a new hook without one, or `new_secret`, makes one that is shown
 * once, in the answer. `scheme` is needed for the preset `custom` alone.
 */
export const hookInput = strictFields({
  name: requiredText(60, 'name').refine(
    (value) => value === '' || /^[a-z0-9][a-z0-9-]{2,59}$/.test(value),
    { error: 'The name takes 3 to 60 lower-case letters, digits and dashes.' },
  ),
  preset: choice(hookPresets, 'preset'),
  scheme: schemeInput.nullish(),
  window_seconds: optionalInteger('window', 10, 3600),
  filter: strictFields({
    where: choice(['header', 'body'], 'place'),
    name: requiredText(200, 'name'),
    equals: text(200, 'value'),
  }).nullish(),
  is_paused: flag,
  secret: typedSecret(256, 'secret'),
  new_secret: flag,
}).superRefine(
  ...acrossFields<{ preset: HookPreset; scheme?: unknown; secret: string | undefined }>(
    ({ preset, scheme, secret }, context) => {
      if (preset === 'custom' && !scheme)
        context.addIssue({ code: 'custom', path: ['scheme'], message: 'Say how it is signed.' })
      const problem = preset === 'standard' ? webhookSecretProblem(secret ?? '') : undefined
      const message = problem ?? `The secret must have at least ${secretMin} characters.`
      const isUnfit = problem !== undefined || (secret ?? '').length < secretMin
      if (secret && isUnfit) context.addIssue({ code: 'custom', path: ['secret'], message })
    },
  ),
)
export type HookInput = z.output<typeof hookInput>

const savedHook = z.object({
  hook: hookRecord,
  /** Where one was made: shown this once. */
  secret: z.string().nullable(),
})

export const listHooks = defineRoute({
  method: 'GET',
  path: '/api/workflows/:id/hooks',
  access: 'workflow.view',
  tag: 'Webhooks',
  summary: 'The webhooks that start a workflow, at most 20',
  params: idParams,
  response: z.object({ hooks: z.array(hookRecord) }),
})

export const createHook = defineRoute({
  method: 'POST',
  path: '/api/workflows/:id/hooks',
  access: 'workflow.edit',
  tag: 'Webhooks',
  summary: 'Let a sender start a workflow by webhook',
  status: 201,
  params: idParams,
  body: hookInput,
  response: savedHook,
})

export const updateHook = defineRoute({
  method: 'PUT',
  path: '/api/hooks/:id',
  access: 'workflow.edit',
  tag: 'Webhooks',
  summary: 'Change a webhook; its runs are started on behalf of the caller from now on',
  params: idParams,
  body: hookInput,
  response: savedHook,
})

export const deleteHook = defineRoute({
  method: 'DELETE',
  path: '/api/hooks/:id',
  access: 'workflow.edit',
  tag: 'Webhooks',
  summary: 'Delete a webhook; its runs stay',
  status: 204,
  params: idParams,
})

/**
 * The body is JSON, and the input of the run as it is. Answers 202 once the run is committed, and 200
 * without a run where the filter of the hook leaves the message out. The same message is answered with the
 * same run. A signature that does not fit, and a name that no hook has, are both 401.
 */
export const receiveHook = defineRoute({
  method: 'POST',
  path: '/hooks/:name',
  access: 'public',
  tag: 'Webhooks',
  summary: 'Receive a signed message of another system, which starts a run',
  status: 202,
  alsoStatus: 200,
  params: z.object({ name: z.string().max(100) }),
  body: z.unknown(),
  hasRawBody: true,
  response: z.object({
    run: z.object({ id: z.number().int(), state: z.enum(runStates) }).nullable(),
  }),
})
