import { Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { RequestsLink } from '../../entities/requests-link.tsx'
import { useCan } from '../../lib/session/session.tsx'
import { useThingName } from '../../lib/page/thing-name.ts'
import { Page } from '../../ui/page/page.tsx'
import { PageTabs, type PageTab } from '../../ui/page/page-tabs.tsx'
import { QueryLoader } from '../../ui/page/query-loader.tsx'
import { ApiFacts } from './api-facts.tsx'
import { apiQueries } from './api-queries.ts'
import { apisMessages } from './apis-messages.ts'
import { PurgeCache } from './cache/purge-cache.tsx'
import { FaultAlert } from './fault-alert.tsx'

interface ApiPageProps {
  apiId: number
  /** The parts that the user may see. */
  tabs: readonly PageTab[]
  /** The part that is shown, as the breadcrumb names it. */
  part?: string
  /** The settings check the address that is typed there. */
  hasCheck: boolean
  /** The part that is shown, once there is such an API. */
  children: ReactNode
}

/** Everything about one API at one place: what it is, and a part of what belongs to it. */
export function ApiPage({ apiId, tabs, part, hasCheck, children }: ApiPageProps) {
  const query = useQuery(apiQueries.edit(apiId))
  const can = useCan()
  const isCached = (query.data?.traffic_policy?.cache ?? null) !== null
  useThingName(query.data?.name, { part })
  return (
    <Page
      title={query.data?.name ?? 'API'}
      actions={
        <Group gap="sm">
          {isCached && can('api.edit') && <PurgeCache apiId={apiId} />}
          <RequestsLink filter={{ api: apiId }} of="this API" />
        </Group>
      }
    >
      <QueryLoader query={query} failureText={apisMessages.notLoaded}>
        {(api) => (
          <>
            <ApiFacts apiId={apiId} api={api} hasCheck={hasCheck} />
            {api.fault && <FaultAlert fault={api.fault} />}
            <PageTabs label="Parts of this API" tabs={tabs} />
            {children}
          </>
        )}
      </QueryLoader>
    </Page>
  )
}
