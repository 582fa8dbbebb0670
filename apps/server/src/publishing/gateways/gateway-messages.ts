import { nodeState, toolCount } from '@gatehouse/contract'
import { z } from 'zod'
import { answerPartLength, answerPartsMax } from './gateway-answer.ts'

// What gateways that run alone say to the control plane. It is sealed with the key of their account, and still
// read with care: a gateway is what clients of any kind reach.

const id = z.number().int().positive()
const count = z.number().int().nonnegative()
const short = z.string().max(200)

/** What was counted of one endpoint and status in a minute. */
const minuteCount = z.object({
  minute: z.iso.datetime(),
  /** 0: no endpoint was matched. */
  endpoint_id: count,
  status: count.max(999),
  requests: count,
  bytes_in: count,
  bytes_out: count,
  buckets: z.array(count).max(64),
  cache: z.object({ hits: count, misses: count, saved_ms: count }).optional(),
})
export type MinuteCount = z.output<typeof minuteCount>

const gatewayReport = z.object({
  kind: z.literal('report'),
  node: z.object({
    instance_id: short,
    /** Random, of each start. */
    start_id: short,
    /** See `DataDir.place`. */
    place: short.default(''),
    name: short,
    version: short,
    started_at: z.iso.datetime(),
  }),
  /** Counts up with each report. One that is sent again has the number that it had. */
  beat: count,
  state: nodeState,
  traffic: z.array(minuteCount),
  /** Which personal tokens were used, and when last. */
  token_uses: z.array(z.tuple([id, z.iso.datetime()])),
  /** Requests of tokens with a quota that were let through: token, day in UTC, times. */
  quota_uses: z
    .array(z.tuple([id, z.iso.date(), count]))
    .max(1_000)
    .default([]),
  tool_calls: z.array(toolCount).max(1_000).default([]),
  /** Issuers whose tokens name a key that is not known. */
  unknown_keys: z.array(id).max(1_000).default([]),
  /** It stops after this. */
  is_last: z.boolean(),
})
export type GatewayReportMessage = z.output<typeof gatewayReport>

export const gatewayMessage = z.discriminatedUnion('kind', [
  gatewayReport,
  /** It needs a token of an authority; `refused` is the version that an upstream has refused. */
  z.object({ kind: z.literal('token'), api_id: id, refused: count.nullable() }),
  /** A part of an answer to a question of the control plane. */
  z.object({
    kind: z.literal('answer'),
    /** Id of the question. */
    ask: short,
    part: count,
    parts: count.min(1).max(answerPartsMax),
    text: z.string().max(answerPartLength),
  }),
  /** A stored procedure returned another shape than before. */
  z.object({ kind: z.literal('procedure'), api_id: id, seen: z.record(z.string(), z.unknown()) }),
])
export type GatewayMessage = z.output<typeof gatewayMessage>

/** A token of an authority, as it is sealed for gateways. */
export const sealedToken = z.object({
  token: z.string(),
  version: count,
  renew_at: z.iso.datetime(),
  expires_at: z.iso.datetime(),
  /** Of the credential that it is for: see `credential_seal` of the configuration. */
  seal: z.string(),
})
export type SealedToken = z.output<typeof sealedToken>
