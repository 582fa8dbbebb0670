import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useParams } from 'react-router'
import type { EndpointRecord } from '@gatehouse/contract'
import { call } from '../../lib/call.ts'
import { FormLoader } from '../../ui/form-loader.tsx'
import { HistoryLink } from '../../ui/history-link.tsx'
import { Page } from '../../ui/page.tsx'
import { EndpointForm } from './endpoint-form.tsx'
import { toEndpointUpdate, toEndpointValues } from './endpoint-form-values.ts'
import { endpointQueries } from './endpoint-queries.ts'
import { endpointsMessages } from './endpoints-messages.ts'

/** `children` is what other features have to say about this endpoint. */
export function EndpointEditPage({
  children,
}: {
  children?: (endpoint: EndpointRecord) => ReactNode
}) {
  const id = Number(useParams()['id'])
  const query = useQuery(endpointQueries.edit(id))
  return (
    <Page
      title={`Edit ${query.data?.endpoint.summery ?? ''}`.trim()}
      actions={<HistoryLink thing="endpoint" id={id} />}
      isNarrow
    >
      <FormLoader query={query} failureText={endpointsMessages.notLoaded}>
        {({ endpoint, apis }, reload) => (
          <EndpointForm
            initialValues={toEndpointValues(endpoint)}
            apis={apis}
            save={(values) =>
              call('PUT /api/endpoint/:id', {
                params: { id },
                body: toEndpointUpdate(values, endpoint),
              })
            }
            texts={{ ...endpointsMessages, saved: endpointsMessages.updated }}
            onReload={reload}
          />
        )}
      </FormLoader>
      {query.data && children?.(query.data.endpoint)}
    </Page>
  )
}
