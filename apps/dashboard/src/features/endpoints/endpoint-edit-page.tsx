import { Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import type { EndpointRecord } from '@gatehouse/contract'
import { EndpointDraft } from '../../entities/endpoint/endpoint-draft.ts'
import { paths } from '../../entities/paths.ts'
import { RequestsLink } from '../../entities/requests-link.tsx'
import { useCan } from '../../lib/session/session.tsx'
import { useThingName } from '../../lib/page/thing-name.ts'
import { useRecordId } from '../../lib/page/use-record-id.ts'
import { FormLoader } from '../../ui/form/form-loader.tsx'
import { HistoryLink } from '../../entities/audit/history-link.tsx'
import { Page } from '../../ui/page/page.tsx'
import { EndpointForm } from './endpoint-form.tsx'
import { toEndpointUpdate, toEndpointValues } from './endpoint-form-values.ts'
import { endpointQueries, useUpdateEndpoint } from './endpoint-queries.ts'
import { toObject } from '../../lib/browser/kept-json.ts'
import { endpointsMessages } from './endpoints-messages.ts'
import { returnPathOf } from './return-to-api.ts'

interface EndpointEditPageProps {
  children?: (endpoint: EndpointRecord, draft: EndpointDraft) => ReactNode
  /** What leads there from beside the form. */
  shortcuts?: ReactNode
}

/** `children` is what other features have to say about this endpoint. */
export function EndpointEditPage({ children, shortcuts }: EndpointEditPageProps) {
  const id = useRecordId()
  const [draft] = useState(() => new EndpointDraft())
  const [address] = useSearchParams()
  const query = useQuery(endpointQueries.edit(id))
  const api = query.data?.endpoint.api
  const can = useCan()
  useThingName(query.data?.endpoint.summery, {
    part: 'Edit',
    within: api && can('api.view') ? { name: api.name, to: paths.api(api.id) } : undefined,
  })
  const update = useUpdateEndpoint(id)
  return (
    <Page
      title={`Edit ${query.data?.endpoint.summery ?? ''}`.trim()}
      actions={
        <Group gap="xs">
          <RequestsLink filter={{ endpoint: id }} of="this endpoint" />
          <HistoryLink thing="endpoint" id={id} />
        </Group>
      }
    >
      <FormLoader
        query={query}
        failureText={endpointsMessages.notLoaded}
        thing={{ thing: 'endpoint', id }}
      >
        {({ endpoint, apis }) => (
          <EndpointForm
            initialValues={toEndpointValues(endpoint)}
            apis={apis}
            submitLabel="Save"
            toInput={(values) => toEndpointUpdate(values, endpoint)}
            save={update}
            draft={draft}
            listPath={returnPathOf(address, endpoint.api.id)}
            accessCount={endpoint.access_count ?? 0}
            texts={{ ...endpointsMessages, saved: savedMessage }}
            shortcuts={shortcuts}
          />
        )}
      </FormLoader>
      {query.data && children?.(query.data.endpoint, draft)}
    </Page>
  )
}

/** Says what a move to another API took from roles, since that can't be seen on this form. */
function savedMessage(answer: unknown) {
  const { updated } = endpointsMessages
  const cleared = Number(toObject(answer)['access_cleared'] ?? 0)
  if (cleared === 0) return updated
  const roles = cleared === 1 ? '1 role' : `${cleared} roles`
  return { ...updated, detail: `The endpoint was moved, and ${roles} lost access to it.` }
}
