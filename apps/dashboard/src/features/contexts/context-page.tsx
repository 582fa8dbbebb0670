import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { toListQuery, useListParams } from '../../lib/list-params.ts'
import { ListView } from '../../ui/list-view.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { ContextCard } from './context-card.tsx'
import { contextQueries } from './context-queries.ts'

const sortColumns = ['id', 'name', 'context', 'gateway_status'] as const

/** Under which prefix each API is exposed on the gateway, and the full URLs (spec: api-context). */
export function ContextPage() {
  const params = useListParams(sortColumns)
  const list = useQuery(contextQueries.list(toListQuery(params)))
  return (
    <Page
      title="Api Context"
      subtitle="The prefix under which each API is exposed on the gateway, and the URLs to call."
    >
      <ListView
        query={list}
        params={params}
        searchLabel="Search APIs and prefixes"
        isFramed={false}
        empty={
          <Notice title="No APIs yet">
            <Text size="sm" c="dimmed">
              Every API gets a prefix as soon as it is registered.
            </Text>
          </Notice>
        }
      >
        {(rows) => (
          <Stack gap="md">
            {rows.map((row) => (
              <ContextCard key={row.id} api={row} />
            ))}
          </Stack>
        )}
      </ListView>
    </Page>
  )
}
