import { Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useThingName } from '../../lib/thing-name.ts'
import { useRecordId } from '../../lib/use-record-id.ts'
import { FormLoader } from '../../ui/form-loader.tsx'
import { EndpointsLink } from '../../entities/endpoint/endpoints-link.tsx'
import { HistoryLink } from '../../entities/audit/history-link.tsx'
import { Page } from '../../ui/page.tsx'
import { ApiForm } from './api-form.tsx'
import { toApiInput, toApiValues } from './api-form-values.ts'
import { apiQueries, useUpdateApi } from './api-queries.ts'
import { apisMessages } from './apis-messages.ts'
import { FaultAlert } from './fault-alert.tsx'
import { ProcedureContractPanel } from './procedure-contract-panel.tsx'

/** The heading is the spec's, alike on both forms; the second line says which API it is. */
export function ApiEditPage() {
  const id = useRecordId()
  const query = useQuery(apiQueries.edit(id))
  useThingName(query.data?.name, { part: 'Edit' })
  const update = useUpdateApi(id)
  return (
    <Page
      title="Create a New API"
      subtitle={query.data && `Editing ${query.data.name}`}
      actions={
        <Group gap="sm">
          <EndpointsLink apiId={id} />
          <HistoryLink thing="api" id={id} />
        </Group>
      }
      isNarrow
    >
      {query.data?.fault && <FaultAlert fault={query.data.fault} />}
      {query.data?.api_protocol === 'stored_procedure' && <ProcedureContractPanel apiId={id} />}
      <FormLoader query={query} failureText={apisMessages.notLoaded}>
        {(api, reload) => (
          <ApiForm
            apiId={id}
            initialValues={toApiValues(api)}
            isPasswordStored={api.has_password}
            save={(values) => update({ ...toApiInput(values), version: api.version })}
            texts={{ ...apisMessages, saved: apisMessages.updated }}
            onReload={reload}
          />
        )}
      </FormLoader>
    </Page>
  )
}
