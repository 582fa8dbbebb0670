import { Anchor, Group, Paper, Select, Stack, Tabs, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { SearchGroup, SearchKind } from '@gatehouse/contract'
import { useEffect } from 'react'
import { readRegister, RegisterFilter } from '../../entities/document/register-filter.tsx'
import { readDay, toMoments } from '../../lib/browser/day-range.ts'
import { useScreenAddress } from '../../lib/page/screen-address.ts'
import { useAddressFilter } from '../../lib/page/use-address-filter.ts'
import { DayRange } from '../../ui/filters/day-range.tsx'
import { Notice } from '../../ui/page/notice.tsx'
import { PageButtons } from '../../ui/table/page-buttons.tsx'
import { Page } from '../../ui/page/page.tsx'
import { QueryLoader } from '../../ui/page/query-loader.tsx'
import { SearchBox } from '../../ui/table/search-box.tsx'
import { noteRecent } from './recent-searches.ts'
import classes from './search.module.css'
import { SearchHitText } from './search-hit-text.tsx'
import { SearchNotes } from './search-notes.tsx'
import { searchQueries, type SearchAnswer } from './search-queries.ts'
import { Trail } from './trail.tsx'
import {
  kindTitles,
  searchKinds,
  stateChoices,
  tooShort,
  whatIsNot,
  whatIsSearched,
} from './search-words.ts'

const filterNames = ['q', 'kind', 'state', 'register', 'from', 'to'] as const
const hitsOfAll = 5
const hitsOfKind = 20

function readFilter(address: URLSearchParams) {
  return {
    q: (address.get('q') ?? '').slice(0, 200),
    kind: searchKinds.find((known) => known === address.get('kind')),
    state: stateChoices.find(({ value }) => value === address.get('state'))?.value,
    register: readRegister(address),
    from: readDay(address.get('from')),
    to: readDay(address.get('to')),
  }
}

/** Everything that was found, with filters; the address holds the question. */
export function SearchPage() {
  const { filter, setFilter } = useAddressFilter(filterNames, readFilter)
  const { address, change } = useScreenAddress()
  const { q, kind, state, register, from, to } = filter
  const page = Math.max(1, Math.trunc(Number(address.get('page')) || 1))
  const query = useQuery({
    ...searchQueries.list({
      q,
      page,
      limit: kind ? hitsOfKind : hitsOfAll,
      ...(kind ? { kinds: kind } : {}),
      ...(state ? { state } : {}),
      ...(register ? { register } : {}),
      ...toMoments(from, to),
    }),
    enabled: q.trim() !== '',
  })
  useEffect(() => {
    if (q.trim() !== '') noteRecent(q.trim())
  }, [q])
  const goTo = (next: number) => change({ page: String(next) })

  return (
    <Page title="Search" subtitle={whatIsSearched}>
      <Group gap="sm">
        <SearchBox
          label="Search everything"
          value={q}
          onChange={(text) => setFilter({ q: text })}
        />
        <Select
          aria-label="State"
          placeholder="Any state"
          data={stateChoices}
          value={state ?? null}
          clearable
          clearButtonProps={{ 'aria-label': 'Any state' }}
          onChange={(value) => setFilter({ state: value })}
          w={{ base: '100%', xs: 190 }}
        />
        <RegisterFilter value={register} onChange={(name) => setFilter({ register: name })} />
        <DayRange from={from} to={to} onChange={setFilter} />
      </Group>
      <Tabs
        value={kind ?? 'all'}
        onChange={(value) => setFilter({ kind: value === 'all' ? null : value })}
      >
        <Tabs.List aria-label="Kind" className={classes['tabs'] ?? ''}>
          <Tabs.Tab value="all">All</Tabs.Tab>
          {searchKinds.map((each) => (
            <Tabs.Tab key={each} value={each}>
              {kindTitles[each]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
      </Tabs>
      {kind === undefined && <Trail q={q} />}
      {q.trim() === '' ? (
        <Notice title="Type what you are looking for">
          <Text size="sm" c="dimmed">
            {whatIsNot}
          </Text>
        </Notice>
      ) : (
        <QueryLoader query={query} failureText="The search failed">
          {(answer) => (
            <Found
              answer={answer}
              kind={kind}
              page={page}
              onPage={goTo}
              onKind={(each) => setFilter({ kind: each })}
            />
          )}
        </QueryLoader>
      )}
    </Page>
  )
}

interface FoundProps {
  answer: SearchAnswer
  kind: SearchKind | undefined
  page: number
  onPage: (page: number) => void
  onKind: (kind: SearchKind) => void
}

function Found({ answer, kind, page, onPage, onKind }: FoundProps) {
  const groups = answer.groups.filter(({ total }) => total > 0)
  if (groups.length === 0)
    return (
      <Paper withBorder>
        <Notice title={answer.is_too_short ? 'The question is too short' : 'Nothing found'}>
          <Text size="sm" c="dimmed" maw={520}>
            {answer.is_too_short ? tooShort : whatIsNot}
          </Text>
          <SearchNotes answer={answer} />
        </Notice>
      </Paper>
    )
  return (
    <Stack gap="lg">
      <SearchNotes answer={answer} />
      {groups.map((group) => (
        <GroupOfHits key={group.kind} group={group} onMore={kind ? undefined : onKind} />
      ))}
      {kind && (
        <PageButtons
          page={page}
          pageCount={Math.max(1, Math.ceil((groups[0]?.total ?? 0) / hitsOfKind))}
          onChange={onPage}
        />
      )}
    </Stack>
  )
}

interface GroupOfHitsProps {
  group: SearchGroup
  /** Absent where all of the kind are shown, page by page. */
  onMore: ((kind: SearchKind) => void) | undefined
}

function GroupOfHits({ group: { kind, total, has_more, hits }, onMore }: GroupOfHitsProps) {
  const count = has_more ? `more than ${total.toLocaleString()}` : total.toLocaleString()
  return (
    <section aria-label={kindTitles[kind]}>
      <Group justify="space-between" mb="xs">
        <Title order={3} fz="md">
          {kindTitles[kind]}{' '}
          <Text span c="dimmed" size="sm">
            {count}
          </Text>
        </Title>
        {onMore && total > hits.length && (
          <Anchor component="button" size="sm" onClick={() => onMore(kind)}>
            All {kindTitles[kind].toLowerCase()}
          </Anchor>
        )}
      </Group>
      <Paper withBorder>
        {hits.map((hit) => (
          <div key={hit.id} className={classes['row']}>
            <SearchHitText hit={hit} isLink />
          </div>
        ))}
      </Paper>
    </section>
  )
}
