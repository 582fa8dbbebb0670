import { z } from 'zod'

export const pageSizeDefault = 10
export const pageSizeMax = 100

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
    page: z.coerce.number().int().min(1).max(1_000_000).default(1),
    limit: z.coerce.number().int().min(1).max(pageSizeMax).default(pageSizeDefault),
    search: z.string().trim().max(200).default(''),
    sort: z.enum(orders).optional(),
  })
}

// wire: spec §3 "Paged response": an array whose first element holds the page.
export function pageOf<T extends z.ZodType>(row: T) {
  return z.tuple([
    z.object({
      data: z.array(row),
      per_page: z.number().int(),
      total: z.number().int(),
      current_page: z.number().int(),
      last_page: z.number().int(),
    }),
  ])
}

export const idParams = z.object({
  id: z.coerce
    .number()
    .int()
    .positive()
    .max(2 ** 53 - 1),
})
