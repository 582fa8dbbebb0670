import { z } from 'zod'

/** `custom`: every setting is chosen; the others are settings of one sender each. */
export const hookPresets = ['standard', 'salla', 'shopify', 'github', 'custom'] as const
export type HookPreset = (typeof hookPresets)[number]

export const hookEncodings = ['hex', 'base64'] as const

/** What the sender signs: the body, or its timestamp and id before it, with dots between. */
export const hookSigned = ['body', 'timestamp.body', 'id.timestamp.body'] as const

/** How a sender signs. */
const hookScheme = z.object({
  /** The header that holds the signature. */
  header: z.string(),
  /** What comes before the signature in it. */
  prefix: z.string(),
  encoding: z.enum(hookEncodings),
  signed: z.enum(hookSigned),
  /** Blank where the sender has none. */
  timestamp_header: z.string(),
  id_header: z.string(),
})
export type HookScheme = z.output<typeof hookScheme>

const overBody = { signed: 'body', timestamp_header: '', id_header: '' } as const

/** The schemes of senders that are known. */
export const hookSchemes: Record<Exclude<HookPreset, 'custom'>, HookScheme> = {
  standard: {
    header: 'webhook-signature',
    prefix: 'v1,',
    encoding: 'base64',
    signed: 'id.timestamp.body',
    timestamp_header: 'webhook-timestamp',
    id_header: 'webhook-id',
  },
  salla: { ...overBody, header: 'x-salla-signature', prefix: '', encoding: 'hex' },
  shopify: { ...overBody, header: 'x-shopify-hmac-sha256', prefix: '', encoding: 'base64' },
  github: { ...overBody, header: 'x-hub-signature-256', prefix: 'sha256=', encoding: 'hex' },
}

export const hookWindowSecondsDefault = 300

const hookFilter = z.object({
  /** `header`: by its name; `body`: by a path. */
  where: z.enum(['header', 'body']),
  name: z.string(),
  equals: z.string(),
})
export type HookFilter = z.output<typeof hookFilter>

export const hookRecord = z.object({
  id: z.number().int(),
  /** Its address is `/hooks/:name`. */
  name: z.string(),
  workflow_id: z.number().int(),
  preset: z.enum(hookPresets),
  scheme: hookScheme,
  /** How far a timestamp may be away from now. */
  window_seconds: z.number().int(),
  /** Null: every message starts a run. */
  filter: hookFilter.nullable(),
  is_paused: z.boolean(),
  /** On whose behalf runs are started: who saved it last. */
  user_name: z.string(),
  secret_set_at: z.string(),
  /** Until then the secret before is accepted too. */
  old_secret_until: z.string().nullable(),
  last_received_at: z.string().nullable(),
  last_refused_at: z.string().nullable(),
  last_refusal: z.string().nullable(),
})
export type HookRecord = z.output<typeof hookRecord>
