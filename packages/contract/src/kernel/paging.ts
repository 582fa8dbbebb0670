import { z } from 'zod'
import { idMax } from './fields.ts'

const pageSizeDefault = 10
const pageSizeMax = 100

type Order<C extends readonly string[]> = C[number] | `-${C[number]}` | undefined

/** Pages beyond the last are empty; further ones than this are taken for it. */
const pageMax = 1_000_000_000

/** A whole number from 1 in a query string; blank or absent means the default. */
export function wholeNumber(label: string, max: number, byDefault: number) {
  return z
    .union([z.string(), z.number()])
    .optional()
    .transform((value) => (value === undefined || value === '' ? byDefault : Number(value)))
    .refine((value) => Number.isSafeInteger(value) && value >= 1 && value <= max, {
      error: `The ${label} must be a whole number from 1${max === Number.MAX_SAFE_INTEGER ? '' : ` to ${max}`}.`,
    })
}

/**
 * Query of every list: page from 1, limit 1–100, free-text search, and one of the given columns to
 * sort by, descending with a leading minus. Unknown columns are a 422.
 */
export function listQuery<const C extends readonly [string, ...string[]]>(columns: C) {
  const orders = columns.flatMap((column) => [column, `-${column}`]) as (
    | C[number]
    | `-${C[number]}`
  )[]
  return z.object({
    page: wholeNumber('page', Number.MAX_SAFE_INTEGER, 1).transform((page) =>
      Math.min(page, pageMax),
    ),
    limit: wholeNumber('limit', pageSizeMax, pageSizeDefault),
    search: z.string().trim().max(200).default(''),
    sort: z
      .enum([...orders, '' as const], {
        error: `Sort by one of: ${columns.join(', ')}; a minus in front reverses the order.`,
      })
      .optional()
      .transform((sort) => (sort === '' ? undefined : (sort as Order<C>))),
  })
}

// wire (spec: paged-response): an array whose first element holds the page.
export function pageOf<T extends z.ZodType>(row: T) {
  return z.tuple([
    z.object({
      data: z.array(row),
      per_page: z.number().int(),
      total: z.number().int(),
      current_page: z.number().int(),
      last_page: z.number().int(),
      /**
       * Lists that grow for years end after 10,000 rows, or 1,000 hits of a search, and `total` counts
       * these. True: there are more, which no page shows. Absent on other lists.
       */
      has_more: z.boolean().optional(),
      /** `search` has one or two characters and was looked for in the newest 20,000 rows only. */
      is_search_partial: z.boolean().optional(),
    }),
  ])
}

export const idParams = z.object({
  id: z.coerce.number().int().positive().max(idMax),
})
