import { Button, Group, Select, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { IconShare } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { ApiSelect } from '../../entities/api/api-select.tsx'
import { notifyError } from '../../lib/page/notify.tsx'
import { useCan } from '../../lib/session/session.tsx'
import { useAddressFilter } from '../../lib/page/use-address-filter.ts'
import { filterWidth } from '../../ui/filters/filter-selects.tsx'
import { Notice } from '../../ui/page/notice.tsx'
import { Page } from '../../ui/page/page.tsx'
import { QueryLoader } from '../../ui/page/query-loader.tsx'
import {
  consumerDocsQueries,
  fetchOpenApi,
  type ConsumerRoles,
  type DocsScope,
} from './consumer-docs-queries.ts'
import { DocsActions } from './docs-actions.tsx'
import { DocsView } from './docs-view.tsx'
import { ShareDialog } from './share-dialog.tsx'
import classes from './consumer-docs.module.css'

const names = ['role', 'api'] as const

interface Filter {
  role?: string
  api?: string
}

function readFilter(address: URLSearchParams): Filter {
  const [role, api] = names.map((name) => address.get(name) ?? '')
  const isId = (text: string | undefined): text is string => /^[1-9]\d{0,9}$/.test(text ?? '')
  return { ...(isId(role) && { role }), ...(isId(api) && { api }) }
}

/** What the gateway serves, of all, of an API, or of a role; see docs/consumer-docs.md. */
export function ConsumerDocsPage() {
  const roles = useQuery(consumerDocsQueries.roles)
  return (
    <QueryLoader query={roles} failureText="The roles could not be loaded.">
      {(found) => <ChosenDocs roles={found} />}
    </QueryLoader>
  )
}

function ChosenDocs({ roles: { roles, sees_all } }: { roles: ConsumerRoles }) {
  const can = useCan()
  const { filter, setFilter } = useAddressFilter(names, readFilter)
  const [isSharing, setIsSharing] = useState(false)
  const role =
    roles.find(({ id }) => String(id) === filter.role) ?? (sees_all ? undefined : roles[0])
  const scope = useMemo<DocsScope>(
    () => ({
      ...(role && { role_id: role.id }),
      ...(filter.api !== undefined && { api_id: Number(filter.api) }),
    }),
    [role, filter.api],
  )
  const isNobody = !role && !sees_all
  const docs = useQuery({ ...consumerDocsQueries.docs(scope), enabled: !isNobody })
  return (
    <Page
      title="API docs"
      subtitle="What those who call the gateway need to know: addresses, parameters, tokens, errors."
      actions={
        <Group gap="sm">
          {role && can('api-permission.edit') && (
            <Button
              className={classes['tools'] ?? ''}
              variant="default"
              leftSection={<IconShare size={16} aria-hidden />}
              onClick={() => setIsSharing(true)}
            >
              {role.shared ? 'Shared' : 'Share'}
            </Button>
          )}
          <DocsActions
            fetchFile={(format) => fetchOpenApi(scope, format)}
            onFailure={(reason) => notifyError('The document could not be downloaded.', reason)}
            isDisabled={!docs.isSuccess}
          />
        </Group>
      }
    >
      <Group gap="sm" className={classes['tools'] ?? ''}>
        <Select
          aria-label="Role"
          placeholder="Everything that is served"
          data={roles.map(({ id, name, endpoints_count }) => ({
            value: String(id),
            label: `${name} (${endpoints_count})`,
          }))}
          value={role ? String(role.id) : null}
          onChange={(value) => setFilter({ role: value })}
          clearable={sees_all}
          clearButtonProps={{ 'aria-label': 'Everything that is served' }}
          searchable
          nothingFoundMessage="No role of that name"
          w={filterWidth(280)}
        />
        {can('api.view') && (
          <ApiSelect
            aria-label="API"
            placeholder="All APIs"
            value={filter.api ?? ''}
            onChange={(value) => setFilter({ api: value })}
            clearable
            clearButtonProps={{ 'aria-label': 'All APIs' }}
            w={filterWidth(240)}
          />
        )}
      </Group>
      {isNobody ? (
        <Notice title="You have no role yet">
          <Text size="sm" c="dimmed">
            Ask those who manage users for a role. Its docs are then here.
          </Text>
        </Notice>
      ) : (
        <Stack gap="md">
          <QueryLoader query={docs} failureText="The docs could not be loaded.">
            {(found) => <DocsView docs={found} emptyText={emptyTextOf(role !== undefined)} />}
          </QueryLoader>
        </Stack>
      )}
      {role && isSharing && <ShareDialog role={role} onClose={() => setIsSharing(false)} />}
    </Page>
  )
}

const emptyTextOf = (isOfRole: boolean) =>
  isOfRole
    ? 'This role has access to no endpoint that is active. Give it access under Users Have API access.'
    : 'There is no active endpoint. Create one under Apis, or import a document.'
