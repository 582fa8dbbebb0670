import { Anchor, Badge, Code, Group, Stack, Switch, Text } from '@mantine/core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import type { ApiTool } from '@gatehouse/contract'
import { useState } from 'react'
import { Link } from 'react-router'
import { readSubmittedApi } from '../../entities/api/submitted-api.ts'
import { RoleSelect } from '../../entities/bulk/role-select.tsx'
import { MethodBadge } from '../../entities/endpoint/method-badge.tsx'
import { paths } from '../../entities/paths.ts'
import { ToolCallsCard } from '../../entities/token/tool-calls.tsx'
import { ToolName } from '../../entities/token/tool-name.tsx'
import { call } from '../../lib/calls/call.ts'
import { messageOf } from '../../lib/calls/call-error.ts'
import { useAction } from '../../lib/calls/define-resource.ts'
import { notifyError, notifySuccess } from '../../lib/page/notify.tsx'
import { useCan } from '../../lib/session/session.tsx'
import { CopyButton } from '../../ui/text/copy-button.tsx'
import { DataTable, type Column } from '../../ui/table/data-table.tsx'
import { PageButtons } from '../../ui/table/page-buttons.tsx'
import { Disclosure } from '../../ui/page/disclosure.tsx'
import { FormCard } from '../../ui/form/form-card.tsx'
import { Notice } from '../../ui/page/notice.tsx'
import { QueryLoader } from '../../ui/page/query-loader.tsx'

const toolQueries = {
  ofApi: (apiId: number) =>
    queryOptions({
      queryKey: ['endpoints', 'tools', apiId],
      queryFn: ({ signal }) => call('GET /api/apis/:id/tools', { params: { id: apiId }, signal }),
    }),
  address: (apiId: number) =>
    queryOptions({
      queryKey: ['apis', 'agents', apiId],
      queryFn: async ({ signal }) => {
        const [record] = await call('GET /api/apis/:id/edit', { params: { id: apiId }, signal })
        return addressOf(record.gateway_url ?? '', readSubmittedApi(record).context)
      },
    }),
  seenBy: (apiId: number, roleId: number) =>
    queryOptions({
      queryKey: ['endpoints', 'tools', apiId, 'seen', roleId],
      queryFn: ({ signal }) =>
        call('POST /api/apis/:id/tools/seen', {
          params: { id: apiId },
          body: { as_role: roleId },
          signal,
        }),
      retry: false,
      // What a role finds may have changed since.
      staleTime: 0,
    }),
}

/** Where agents reach the tools of the API alone. */
const addressOf = (gatewayUrl: string, context: string) =>
  `${gatewayUrl.slice(0, gatewayUrl.length - context.length)}mcp/${context}`

/** The endpoints of an API as tools of agents, on its page. */
export function ToolsOfApi({ apiId }: { apiId: number }) {
  const query = useQuery(toolQueries.ofApi(apiId))
  return (
    <QueryLoader query={query} failureText="Unable to fetch the tools.">
      {({ is_offered, is_signed, tools }) => (
        <Stack gap="md">
          <OfferState apiId={apiId} isOffered={is_offered} isSigned={is_signed} />
          {is_offered && !is_signed && <ClientCard apiId={apiId} />}
          {tools.length === 0 ? (
            <Notice title="This API has no endpoints yet" />
          ) : (
            <ToolTable tools={tools} />
          )}
          {is_offered && <ToolCallsCard filter={{ api_id: apiId }} />}
          {is_offered && <SeenCard apiId={apiId} />}
        </Stack>
      )}
    </QueryLoader>
  )
}

const toolsOfPage = 20

function ToolTable({ tools }: { tools: readonly ApiTool[] }) {
  const [chosen, setPage] = useState(1)
  const pageCount = Math.ceil(tools.length / toolsOfPage)
  const page = Math.min(chosen, pageCount)
  return (
    <Stack gap="xs">
      <DataTable
        caption="Endpoints as tools of agents"
        columns={columns}
        rows={tools.slice((page - 1) * toolsOfPage, page * toolsOfPage)}
        rowKey={({ endpoint_id }) => endpoint_id}
        isFaded={({ is_tool, status }) => !is_tool || status !== 'active'}
      />
      {pageCount > 1 && <PageButtons page={page} pageCount={pageCount} onChange={setPage} />}
    </Stack>
  )
}

interface OfferStateProps {
  apiId: number
  isOffered: boolean
  isSigned: boolean
}

function OfferState({ apiId, isOffered, isSigned }: OfferStateProps) {
  const can = useCan()
  const offer = useOffer(apiId)
  return (
    <Group gap="sm">
      {can('api.edit') ? (
        <Switch
          label="Offer to agents"
          checked={offer.isPending ? offer.variables : isOffered}
          disabled={offer.isPending}
          onChange={({ currentTarget }) => offer.mutate(currentTarget.checked)}
        />
      ) : (
        <Badge color={isOffered ? 'green' : 'gray'}>{isOffered ? 'Offered' : 'Not offered'}</Badge>
      )}
      <Text size="sm">
        {isOffered
          ? 'Agents find the tools below, within the access of their token’s roles.'
          : 'Agents find nothing of this API.'}
      </Text>
      {isSigned && (
        <Text size="sm">
          It takes signed requests alone, which agents can’t make: it has no tools.
        </Text>
      )}
    </Group>
  )
}

/** Everything else of the API stays: what is left out is kept, also secrets, which no answer holds. */
const useOffer = (apiId: number) =>
  useAction(
    [],
    async (isOffered: boolean) => {
      const params = { id: apiId }
      const [record] = await call('GET /api/apis/:id/edit', { params })
      const kept = { credential: undefined, test_credential: undefined, tls: undefined }
      const body = { ...readSubmittedApi(record), ...kept, static_headers: undefined }
      return call('PUT /api/apis/:id', {
        params,
        body: { ...body, traffic_policy: undefined, offer_to_agents: isOffered },
      })
    },
    {
      onSuccess: (_, isOffered) =>
        notifySuccess(
          isOffered ? 'The API is offered to agents.' : 'The API is no longer offered to agents.',
        ),
      onError: (error) => notifyError('The API was not saved.', messageOf(error)),
    },
  )

/** What a client of an agent is told, to be copied. */
function ClientCard({ apiId }: { apiId: number }) {
  const { data: address } = useQuery(toolQueries.address(apiId))
  if (address === undefined) return null
  const configuration = configurationFor(address)
  return (
    <Disclosure title="Connect a client" note={address}>
      <Stack gap="xs">
        <Text size="sm">
          A personal token takes the place of the dots. Limit it to the endpoints that the agent
          needs.
        </Text>
        <Code block dir="ltr">
          {configuration}
        </Code>
        <Group>
          <CopyButton
            text={configuration}
            label="Copy"
            description="the configuration of a client"
          />
        </Group>
      </Stack>
    </Disclosure>
  )
}

const configurationFor = (url: string) =>
  JSON.stringify(
    {
      mcpServers: {
        gatehouse: { type: 'http', url, headers: { Authorization: 'Bearer ghp_…' } },
      },
    },
    null,
    2,
  )

const effectWords: Record<ApiTool['effect'], string> = {
  read: 'Reads',
  idempotent: 'Changes; twice is like once',
  submit: 'Changes with each call',
}

const offerWords: Record<ApiTool['agent_offer'], string> = {
  as_api: 'As the API',
  offered: 'Offered',
  not_offered: 'Not offered',
}

const columns: Column<ApiTool, never>[] = [
  {
    head: 'Tool',
    isName: true,
    width: '30%',
    cell: ({ tool_name, is_tool }) =>
      tool_name === '' ? (
        <Text size="sm" c="dimmed">
          {is_tool ? 'Named once the API is offered' : 'No tool'}
        </Text>
      ) : (
        <ToolName name={tool_name} />
      ),
  },
  {
    head: 'What it does',
    width: '35%',
    cell: ({ endpoint_id, summery, method_type, path }) => (
      <div>
        <Anchor component={Link} to={paths.endpointEdit(endpoint_id)} size="sm">
          {summery}
        </Anchor>
        <Group gap={6} wrap="nowrap" align="baseline">
          <MethodBadge method={method_type} />
          <Text size="xs" c="dimmed" ff="monospace" dir="ltr" style={{ overflowWrap: 'anywhere' }}>
            {path}
          </Text>
        </Group>
      </div>
    ),
  },
  { head: 'Reads or changes', cell: ({ effect }) => effectWords[effect] },
  {
    head: 'Offered',
    cell: ({ agent_offer, is_tool, needs_release }) => (
      <Group gap={6}>
        <Badge color={is_tool ? 'green' : 'gray'}>{is_tool ? 'Tool' : 'No tool'}</Badge>
        <Text size="xs" c="dimmed">
          {offerWords[agent_offer]}
        </Text>
        {is_tool && needs_release && <Badge color="grape">Needs a release</Badge>}
      </Group>
    ),
  },
]

/** What the gateway shows to an agent with a role. */
function SeenCard({ apiId }: { apiId: number }) {
  const can = useCan()
  const [roleId, setRoleId] = useState('')
  const mayTry =
    can('request.send') && can('role.view') && can('token.create') && can('token.create_any')
  if (!mayTry) return null
  return (
    <FormCard
      title="As a role"
      description="What the gateway shows to an agent with this role alone."
    >
      <RoleSelect
        label="Role"
        placeholder="Choose a role"
        value={roleId}
        onChange={(id) => setRoleId(id ?? '')}
        clearable
        clearButtonProps={{ 'aria-label': 'Choose no role' }}
      />
      {roleId !== '' && <SeenTools apiId={apiId} roleId={Number(roleId)} />}
    </FormCard>
  )
}

function SeenTools({ apiId, roleId }: { apiId: number; roleId: number }) {
  const query = useQuery(toolQueries.seenBy(apiId, roleId))
  return (
    <QueryLoader query={query} failureText="The gateway could not be asked." isInCard>
      {({ tools }) =>
        tools.length === 0 ? (
          <Text size="sm">This role finds no tool of this API.</Text>
        ) : (
          <Stack gap="xs">
            {tools.map((tool) => (
              <Disclosure key={String(tool['name'])} title={String(tool['name'])} isInCard>
                <Code block dir="ltr">
                  {JSON.stringify(tool, null, 2)}
                </Code>
              </Disclosure>
            ))}
          </Stack>
        )
      }
    </QueryLoader>
  )
}
