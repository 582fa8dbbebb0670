import { useScreenAddress } from './screen-address.ts'

/** Page, search text and order of a list, kept in the address so that Back and bookmarks work. */
export interface ListParams<Column extends string> {
  page: number
  search: string
  sort: Column | `-${Column}` | undefined
  /** `replace` leaves no entry in the history. */
  setPage: (page: number, replace?: boolean) => void
  setSearch: (search: string) => void
  /** Sorts by a column; again for descending, a third time for the list's own order. */
  toggleSort: (column: Column) => void
}

/**
 * Ignores anything in the address that is not a page number or one of the columns to sort by.
 * `searchName` is the search text's name in the address.
 */
export function useListParams<const Column extends string>(
  columns: readonly Column[],
  searchName = 'search',
): ListParams<Column> {
  const { address, change } = useScreenAddress()
  const page = Number(address.get('page') ?? 1)
  const sort = columns
    .flatMap((column) => [column, `-${column}`] as const)
    .find((order) => order === address.get('sort'))

  return {
    page: Number.isSafeInteger(page) && page >= 1 && page <= 1_000_000 ? page : 1,
    search: (address.get(searchName) ?? '').slice(0, 200),
    sort,
    setPage: (page, replace) =>
      change({ page: page === 1 ? undefined : String(page) }, { replace: replace ?? false }),
    // Typing adds no entries to the history: only the last text of a search stays there.
    setSearch: (search) => change({ [searchName]: search, page: undefined }, { replace: true }),
    toggleSort: (column) => change({ sort: nextOrder(column, sort), page: undefined }),
  }
}

function nextOrder(column: string, current: string | undefined): string | undefined {
  if (current === column) return `-${column}`
  return current === `-${column}` ? undefined : column
}

/** The query that every list call understands (contract: `listQuery`). */
export interface ListQuery<Column extends string> {
  page: number
  limit: number
  search?: string
  sort?: Column | `-${Column}`
}

export function toListQuery<Column extends string>(
  params: ListParams<Column>,
  limit: number,
): ListQuery<Column> {
  return {
    page: params.page,
    limit,
    ...(params.search === '' ? {} : { search: params.search }),
    ...(params.sort === undefined ? {} : { sort: params.sort }),
  }
}
