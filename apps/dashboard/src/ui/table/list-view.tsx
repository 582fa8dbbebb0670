import { Button, Group, Paper, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconFilter } from '@tabler/icons-react'
import type { UseQueryResult } from '@tanstack/react-query'
import { useEffect, useState, type ReactNode } from 'react'
import { messageOf } from '../../lib/calls/call-error.ts'
import type { ListParams } from '../../lib/page/list-params.ts'
import type { PageSize } from '../../lib/page/list-settings.ts'
import { lazyPart } from '../../lib/page/lazy-part.tsx'
import { useIsHere, useScreenAddress } from '../../lib/page/screen-address.ts'
import classes from './list-view.module.css'
import { Loading } from '../page/loading.tsx'
import { Notice, RetryNotice } from '../page/notice.tsx'
import { PageButtons } from './page-buttons.tsx'
import { PageSizeSelect } from './page-size-select.tsx'
import { SearchBox } from './search-box.tsx'
import type { Term } from '../terms/term.ts'

// Most lists are opened without a filter.
const TermChips = lazyPart(async () => (await import('../terms/term-chips.tsx')).TermChips)

/** One page of a list as every list call answers it. */
export type PageAnswer<Row> = [
  {
    data: Row[]
    per_page: number
    total: number
    current_page: number
    last_page: number
    has_more?: boolean | undefined
    is_search_partial?: boolean | undefined
  },
]

export interface ListViewTexts {
  searchLabel: string
  /**
   * More filters beside the search, and whether one of them is set. Those that are `terms` too can be typed into
   * the search.
   */
  filters?: { fields: ReactNode; areSet: boolean; terms?: readonly Term[] }
  /** Shown while there is no record at all, with a hint at what to do. */
  empty: { title: string; hint?: string }
}

interface ListViewProps<Row, SortColumn extends string> extends ListViewTexts {
  query: UseQueryResult<PageAnswer<Row>>
  params: ListParams<SortColumn>
  pageSize: PageSize
  onPageSize: (size: PageSize) => void
  /** The rows. */
  children: (rows: Row[]) => ReactNode
  /** Beside search and filters, at the end of their line. */
  tools?: ReactNode
  /** Off where each row has a frame. */
  isFramed: boolean
}

/**
 * Everything around the rows of a list: search, the states of fetching (spec: states: loading, loaded,
 * and an empty list after a failure), and pagination.
 */
export function ListView<Row, SortColumn extends string>(props: ListViewProps<Row, SortColumn>) {
  const { query, params, searchLabel, isFramed, pageSize } = props
  const answer = query.isError ? undefined : query.data?.[0]
  const total = answer?.total ?? 0
  const pageCount = Math.max(1, Math.ceil(total / pageSize))
  useStayInRange(params, query.isSuccess && !query.isPlaceholderData ? pageCount : undefined)

  const { address, change } = useScreenAddress()
  // As the styles have it.
  const isNarrow = useMediaQuery('(max-width: 47.99em)')
  const [areFiltersOpen, setAreFiltersOpen] = useState(false)
  const terms = props.filters?.terms
  const narrow = (name: string, value: string | null) =>
    change({ [name]: value, page: undefined }, { replace: true })

  const hasMore = answer?.has_more === true
  const body = (
    <>
      {answer?.is_search_partial && <Hint>{shortSearchHint}</Hint>}
      <Body {...props} rows={answer?.data ?? []} />
      {hasMore && params.page === pageCount && <Hint>{endHint}</Hint>}
      {total > 0 && (
        <Group
          className={classes['footer'] ?? ''}
          data-framed={isFramed}
          justify="space-between"
          gap="xs"
        >
          <Group gap="sm">
            <Text size="xs" c="dimmed" aria-live="polite">
              {rangeWords((params.page - 1) * pageSize, answer?.data.length ?? 0, total, hasMore)}
            </Text>
            <PageSizeSelect size={pageSize} total={total} onChange={props.onPageSize} />
          </Group>
          <PageButtons page={params.page} pageCount={pageCount} onChange={params.setPage} />
        </Group>
      )}
    </>
  )
  return (
    <div>
      <Group mb="sm" gap="sm">
        <SearchBox
          label={searchLabel}
          value={params.search}
          onChange={params.setSearch}
          terms={terms}
          onTerm={narrow}
        />
        {props.filters && (
          <>
            <Button
              className={classes['filtersButton'] ?? ''}
              variant="default"
              px="sm"
              leftSection={<IconFilter size={16} aria-hidden />}
              aria-expanded={areFiltersOpen}
              onClick={() => setAreFiltersOpen(!areFiltersOpen)}
            >
              Filters
            </Button>
            <div className={classes['filters']} data-open={areFiltersOpen || undefined}>
              {props.filters.fields}
            </div>
          </>
        )}
        {props.tools}
        {isNarrow && props.filters?.areSet && terms && (
          <TermChips terms={terms} address={address} onRemove={(name) => narrow(name, null)} />
        )}
      </Group>
      {isFramed ? <Paper className={classes['frame'] ?? ''}>{body}</Paper> : body}
    </div>
  )
}

interface BodyProps<Row, SortColumn extends string> extends ListViewProps<Row, SortColumn> {
  rows: Row[]
}

function Body<Row, SortColumn extends string>(props: BodyProps<Row, SortColumn>) {
  const { query, params, rows, children } = props
  if (query.isPending) return <Loading />
  if (query.isError) {
    return (
      <RetryNotice
        title="The list could not be loaded."
        reason={messageOf(query.error)}
        isRetrying={query.isFetching}
        onRetry={() => void query.refetch()}
      />
    )
  }
  if (rows.length === 0) {
    return <Empty search={params.search} filters={props.filters} empty={props.empty} />
  }
  return (
    <div className={classes['rows']} data-stale={query.isPlaceholderData || undefined}>
      {query.isPlaceholderData && (
        <div className={classes['waiting']}>
          <Loading />
        </div>
      )}
      {children(rows)}
    </div>
  )
}

interface EmptyProps extends Pick<ListViewTexts, 'empty'> {
  search: string
  filters: ListViewTexts['filters']
}

function Empty({ search, filters, empty }: EmptyProps) {
  if (search !== '') return <Notice title={`Nothing matches “${search}”.`} />
  if (filters?.areSet) return <Notice title="Nothing matches these filters." />
  return (
    <Notice title={empty.title}>
      {empty.hint !== undefined && (
        <Text size="sm" c="dimmed" maw={440}>
          {empty.hint}
        </Text>
      )}
    </Notice>
  )
}

/** Rows may have been deleted since the address was written. Then the last page is shown. */
function useStayInRange(
  params: Pick<ListParams<string>, 'page' | 'setPage'>,
  pageCount: number | undefined,
) {
  const { page, setPage } = params
  const isHere = useIsHere()
  useEffect(() => {
    if (pageCount !== undefined && page > pageCount && isHere()) setPage(pageCount, true)
  })
}

const shortSearchHint =
  'One or two characters are looked for in the newest 20,000 only. Type three to search all.'
const endHint = 'There are more, which this list does not show. Use the filters or another order.'

function Hint({ children }: { children: string }) {
  return (
    <Text component="output" size="sm" c="dimmed" display="block" px="md" py="xs">
      {children}
    </Text>
  )
}

function rangeWords(before: number, shown: number, total: number, hasMore: boolean): string {
  const all = hasMore ? `more than ${total.toLocaleString('en')}` : total
  return shown === 0 ? `${all} in all` : `${before + 1}–${before + shown} of ${all}`
}
