import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { HistoryLink } from '../../entities/audit/history-link.tsx'
import { useThingName } from '../../lib/page/thing-name.ts'
import { useRecordId } from '../../lib/page/use-record-id.ts'
import { FormLoader } from '../../ui/form/form-loader.tsx'
import { Page } from '../../ui/page/page.tsx'
import { IssuerForm } from './issuer-form.tsx'
import { IssuerKeys } from './issuer-keys.tsx'
import { issuerQueries, useSaveIssuer } from './issuer-queries.ts'
import { newIssuerValues, toIssuerBody, toIssuerValues } from './issuer-values.ts'
import { issuersMessages } from './issuers-messages.ts'

export function IssuerCreatePage() {
  const save = useSaveIssuer()
  const [initialValues] = useState(newIssuerValues)
  return (
    <Page title="Add token issuer">
      <FormLoader query={useQuery(issuerQueries.create())} failureText={issuersMessages.notLoaded}>
        {({ roles }) => (
          <IssuerForm
            initialValues={initialValues}
            roles={roles}
            save={(values) => save(toIssuerBody(values))}
            texts={issuersMessages.create}
            submitLabel="Add token issuer"
          />
        )}
      </FormLoader>
    </Page>
  )
}

export function IssuerEditPage() {
  const id = useRecordId()
  const query = useQuery(issuerQueries.edit(id))
  useThingName(query.data?.issuer.name, { part: 'Edit' })
  const save = useSaveIssuer(id)
  return (
    <Page title="Edit token issuer" actions={<HistoryLink thing="issuer" id={id} />}>
      <FormLoader
        query={query}
        failureText={issuersMessages.notLoaded}
        thing={{ thing: 'issuer', id }}
      >
        {({ issuer, roles }) => (
          <IssuerForm
            initialValues={toIssuerValues(issuer)}
            roles={roles}
            save={(values) => save(toIssuerBody(values, issuer.version))}
            texts={issuersMessages.update}
            submitLabel="Save token issuer"
            keys={<IssuerKeys issuer={issuer} />}
          />
        )}
      </FormLoader>
    </Page>
  )
}
