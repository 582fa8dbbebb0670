import { z } from 'zod'
import { documentStates } from './document-states.ts'
import { defineRoute } from '../kernel/route.ts'
import { registerFilter } from './register-fields.ts'
import { runStates } from '../runs/run-summary.ts'

export const searchKinds = ['run', 'document', 'batch', 'workflow'] as const
export type SearchKind = (typeof searchKinds)[number]

/** A search ends after that many hits of a kind and says that there are more. */
export const searchHitsMax = 1000

/** The states that a search can be limited to: those of runs and of documents. */
const searchStates = [...new Set([...runStates, ...documentStates])] as const

const moment = z.iso.date().or(z.iso.datetime())

/** A piece of a text; `is_hit` where it is what was searched for. Not HTML: show it as text. */
const piece = z.object({ text: z.string(), is_hit: z.boolean() })

const searchHit = z.object({
  kind: z.enum(searchKinds),
  id: z.number().int(),
  /** Reference of a run or document, file name of a batch, name of a workflow; blank: it has none. */
  title: z.string(),
  state: z.string().nullable(),
  /** Of a document, or of those that a run carries; none for batches and workflows. */
  registers: z.array(z.string()),
  is_test: z.boolean(),
  /** When it was created. */
  at: z.string(),
  /** The total of the request, as it was sent, where it is known. */
  amount: z.string().nullable(),
  /** The workflow of a run or a batch. */
  workflow: z.object({ id: z.number().int(), name: z.string() }).nullable(),
  /** What was searched for is its reference, its id or its name. */
  is_exact: z.boolean(),
  /** Where it was found in the request: the name of the value, and its text. */
  snippet: z.object({ path: z.string(), pieces: z.array(piece) }).nullable(),
})
export type SearchHit = z.output<typeof searchHit>

const searchGroup = z.object({
  kind: z.enum(searchKinds),
  /** At most 1,000. */
  total: z.number().int(),
  has_more: z.boolean(),
  hits: z.array(searchHit),
})
export type SearchGroup = z.output<typeof searchGroup>

const pageMax = 1000

export const searchAll = defineRoute({
  method: 'GET',
  path: '/api/search',
  access: 'session',
  tag: 'Search',
  summary:
    'Runs, documents, batches and workflows by reference, customer, amount or any text of a request',
  query: z.object({
    q: z.string().trim().max(200).default(''),
    /** Kinds with commas between them; blank: all that the caller may see. */
    kinds: z
      .string()
      .max(100)
      .default('')
      .transform((text) => text.split(',').filter((each) => each !== ''))
      .pipe(z.array(z.enum(searchKinds, { error: `Kinds are ${searchKinds.join(', ')}.` }))),
    /** Runs, and documents, in this state; batches and workflows are left out. */
    state: z.enum([...searchStates, '']).optional(),
    /** Documents of this register, and runs that carry one; batches and workflows are left out. */
    register: registerFilter,
    /** Days or moments, ISO 8601, UTC; both inclusive. */
    from: moment.or(z.literal('')).optional(),
    to: moment.or(z.literal('')).optional(),
    page: z.coerce.number().int().min(1).max(pageMax).default(1),
    /** Hits of each kind. */
    limit: z.coerce.number().int().min(1).max(50).default(5),
  }),
  response: z.object({
    /** The kinds that were searched, in this order: those that were asked for and that the caller may see. */
    groups: z.array(searchGroup),
    /** Nothing was searched: the question has no word of two or more letters or digits. */
    is_too_short: z.boolean(),
    /** The search took too long and ended here: the texts of older requests were not searched. */
    searched_since: z.string().nullable(),
    /**
     * Share of the runs from before the search whose texts can be found, from 0 to 1; null: all of them. The
     * rest follows in the background.
     */
    indexed_share: z.number().nullable(),
  }),
})
