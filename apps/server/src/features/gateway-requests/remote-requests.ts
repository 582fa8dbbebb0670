import { requestMethods, requestOutcomes } from '@gatehouse/contract'
import { z } from 'zod'
import { workerOf } from './reading/access-files.ts'

// What the control plane and a gateway that runs alone say to each other of the requests in its log. Both
// read it with care.

const id = z.number().int().positive().optional()
const count = z.number().int().nonnegative()
const moment = z.iso.datetime().optional()
const place = z.object({
  file: z.string().refine((file) => workerOf(file) !== undefined),
  offset: count,
})
const places = z.array(place).max(512)

/** As `RequestQuestion`, without the folder. */
export const remoteQuestion = z.object({
  kind: z.literal('requests'),
  filter: z.object({
    from: moment,
    to: moment,
    api: id,
    endpoint: id,
    client: id,
    token: id,
    status: z.union([z.enum(requestOutcomes), z.string().regex(/^\d{1,3}$/)]).optional(),
    method: z.enum(requestMethods).optional(),
    search: z.string().max(200),
    slower: z.number().optional(),
  }),
  limit: z.number().int().min(1).max(200),
  older: places.optional(),
  since: places.optional(),
})
export type RemoteQuestion = z.output<typeof remoteQuestion>

/** As `RequestAnswer`. */
export const remoteAnswer = z.object({
  lines: z.array(place.extend({ fields: z.record(z.string(), z.unknown()) })).max(200),
  older: places,
  newest: places,
  lookedBackTo: z.string().max(40).nullable(),
  /** See `records_all` of the contract. */
  recordsAll: z.boolean(),
})
export type RemoteAnswer = z.output<typeof remoteAnswer>
