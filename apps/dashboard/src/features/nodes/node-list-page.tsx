import { Alert, Paper, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { NodeList } from '@gatehouse/contract'
import { messageOf } from '../../lib/calls/call-error.ts'
import { DataTable } from '../../ui/table/data-table.tsx'
import { Notice } from '../../ui/page/notice.tsx'
import { Page } from '../../ui/page/page.tsx'
import { QueryLoader } from '../../ui/page/query-loader.tsx'
import { nodeColumns } from './node-columns.tsx'
import { nodeQueries } from './node-queries.ts'

/** The servers that share the database: whether each lives, and which configuration it runs on. */
export function NodeListPage() {
  const query = useQuery(nodeQueries.list())
  return (
    <Page
      title="Nodes"
      subtitle="The servers that share this database. What one of them does for all is under Leads. A server that says nothing for 30 seconds fades, and leaves the list after a day."
    >
      <QueryLoader query={query} failureText="The nodes could not be loaded.">
        {(list) => (
          <>
            {query.isError && (
              <Alert color="orange" role="alert" mb="md" title="This list is not the newest.">
                {messageOf(query.error)}
              </Alert>
            )}
            <Nodes {...list} />
          </>
        )}
      </QueryLoader>
    </Page>
  )
}

/** Where several servers don't count rate limits together. */
function LimitNotice({ nodes }: Pick<NodeList, 'nodes'>) {
  const limits = nodes.flatMap(({ life, state }) =>
    life === 'alive' && state?.limits ? [state.limits] : [],
  )
  const away = limits.find(({ state }) => state === 'away')
  if (away) {
    return (
      <Alert color="orange" mb="md" title="Redis is away from a server that runs.">
        That server counts rate limits by itself and lets its share through: an equal part of each
        limit. {away.reason}
      </Alert>
    )
  }
  if (limits.length < 2 || !limits.some(({ state }) => state === 'off')) return null
  return (
    <Alert color="blue" mb="md" title="Rate limits count on each server separately.">
      Each server lets an equal part of a limit through. Set REDIS_URL on all of them to count
      together.
    </Alert>
  )
}

function Nodes({ nodes, revision }: NodeList) {
  if (nodes.length === 0) {
    return (
      <Paper withBorder>
        <Notice title="No server has given a sign of life yet">
          <Text size="sm" c="dimmed">
            Each server gives one every 5 seconds.
          </Text>
        </Notice>
      </Paper>
    )
  }
  return (
    <>
      <Text size="sm" c="dimmed" mb="sm">
        Configuration {revision} is stored.
      </Text>
      <LimitNotice nodes={nodes} />
      <Paper withBorder>
        <DataTable
          caption="Nodes"
          columns={nodeColumns}
          rows={nodes}
          rowKey={({ id }) => id}
          isFaded={({ life }) => life !== 'alive'}
        />
      </Paper>
    </>
  )
}
