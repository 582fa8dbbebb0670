interface PageQuery {
  page: number
  limit: number
}

interface Listing<T> {
  rows: T[]
  total: number
}

// wire (spec: paged-response): an array whose first element holds the page.
export function toPage<T, R>(
  listing: Listing<T>,
  { page, limit }: PageQuery,
  present: (row: T) => R,
) {
  const last_page = Math.max(1, Math.ceil(listing.total / limit))
  return [
    {
      data: listing.rows.map(present),
      per_page: limit,
      total: listing.total,
      current_page: page,
      last_page,
    },
  ] as [{ data: R[]; per_page: number; total: number; current_page: number; last_page: number }]
}

/** A page of a list that ends before its last row. */
export function toLongPage<T, R>(
  listing: Listing<T> & { hasMore: boolean; isSearchPartial: boolean },
  query: PageQuery,
  present: (row: T) => R,
) {
  const { hasMore, isSearchPartial } = listing
  const [page] = toPage(listing, query, present)
  return [{ ...page, has_more: hasMore, is_search_partial: isSearchPartial }] as [
    typeof page & { has_more: boolean; is_search_partial: boolean },
  ]
}
