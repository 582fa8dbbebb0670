import { Stack } from '@mantine/core'
import { ListPage } from '../../ui/table/list-page.tsx'
import { ContextCard } from './context-card.tsx'
import { contexts } from './context-queries.ts'

/** Under which prefix each API is exposed on the gateway, and the full URLs (spec: api-context). */
export function ContextPage() {
  return (
    <ListPage
      id="contexts"
      title="Api Context"
      subtitle="The prefix under which each API is exposed on the gateway, and the URLs to call."
      list={contexts.list}
      columns={[]}
      searchLabel="Search APIs and prefixes"
      empty={{
        title: 'No APIs yet',
        hint: 'Every API gets a prefix as soon as it is registered.',
      }}
      renderRows={(rows) => (
        <Stack gap="md">
          {rows.map((row) => (
            <ContextCard key={row.id} api={row} />
          ))}
        </Stack>
      )}
    />
  )
}
