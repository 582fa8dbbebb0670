import { Anchor, Text } from '@mantine/core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import type { ToolCalls } from '@gatehouse/contract'
import { Link } from 'react-router'
import { call } from '../../lib/calls/call.ts'
import { locale } from '../../lib/format/language.ts'
import { useCan } from '../../lib/session/session.tsx'
import { FormCard } from '../../ui/form/form-card.tsx'
import { QueryLoader } from '../../ui/page/query-loader.tsx'
import { DataTable, type Column } from '../../ui/table/data-table.tsx'
import { paths } from '../paths.ts'
import { ToolName } from './tool-name.tsx'

type Filter = { api_id: number } | { token_id: number }

const toolCallsOf = (filter: Filter) =>
  queryOptions({
    queryKey: ['tokens', 'tool-calls', filter],
    queryFn: ({ signal }) => call('GET /api/tool-calls', { query: filter, signal }),
  })

/** What agents did with the tools of an API, or with one token; nothing for users who may not see tokens. */
export function ToolCallsCard(props: { filter: Filter }) {
  const can = useCan()
  return can('token.view') ? <Card {...props} /> : null
}

function Card({ filter }: { filter: Filter }) {
  const query = useQuery(toolCallsOf(filter))
  const shown = 'token_id' in filter ? [tool, ...figures] : [tool, token, ...figures]
  return (
    <FormCard
      title="Calls by agents"
      description="Of the last 30 days, by personal token and tool. The newest may take a minute to be counted."
    >
      <QueryLoader query={query} failureText="Unable to fetch the calls of tools." isInCard>
        {({ calls }) =>
          calls.length === 0 ? (
            <Text size="sm" c="dimmed">
              No agent has called a tool yet.
            </Text>
          ) : (
            <DataTable
              caption="Calls by agents"
              columns={shown}
              rows={calls}
              rowKey={({ token_id, tool: name }) => `${token_id} ${name}`}
            />
          )
        }
      </QueryLoader>
    </FormCard>
  )
}

type Shown = Column<ToolCalls, never>

const tool: Shown = {
  head: 'Tool',
  isName: true,
  width: '30%',
  cell: ({ tool: name }) => <ToolName name={name} />,
}

const token: Shown = {
  head: 'Token',
  width: '25%',
  cell: ({ token_id, token_name, user_name }) => (
    <div>
      <Anchor component={Link} to={paths.tokenLimits(token_id)} size="sm">
        <bdi>{token_name}</bdi>
      </Anchor>
      <Text size="xs" c="dimmed">
        <bdi>{user_name}</bdi>
      </Text>
    </div>
  ),
}

const number = new Intl.NumberFormat(locale)

const figures: Shown[] = [
  { head: 'Calls', isFigure: true, cell: ({ calls }) => number.format(calls) },
  { head: 'Refused', isFigure: true, cell: ({ refused }) => number.format(refused) },
  { head: 'Failed', isFigure: true, cell: ({ failed }) => number.format(failed) },
  { head: 'Waits for release', isFigure: true, cell: ({ waiting }) => number.format(waiting) },
  {
    head: 'p95, ms',
    isFigure: true,
    cell: ({ p95 }) => (p95 === null ? '–' : number.format(Math.round(p95))),
  },
]
