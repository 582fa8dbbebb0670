import { useQuery } from '@tanstack/react-query'
import { paths } from '../../entities/paths.ts'
import { useThingName } from '../../lib/page/thing-name.ts'
import { useRecordId } from '../../lib/page/use-record-id.ts'
import { FormLoader } from '../../ui/form/form-loader.tsx'
import { Page } from '../../ui/page/page.tsx'
import { ReconciliationForm } from './reconciliation-form.tsx'
import { reconciliationQueries, useUpdateReconciliation } from './reconciliation-queries.ts'
import { toReconciliationBody, toReconciliationValues } from './reconciliation-values.ts'
import { reconciliationMessages } from './reconciliation-words.ts'

export function ReconciliationEditPage() {
  const id = useRecordId()
  const query = useQuery(reconciliationQueries.edit(id))
  useThingName(query.data?.name, { part: 'Edit' })
  const update = useUpdateReconciliation(id)
  return (
    <Page title={`Edit ${query.data?.name ?? ''}`.trim()}>
      <FormLoader
        query={query}
        failureText={reconciliationMessages.notLoaded}
        thing={{ thing: 'reconciliation', id }}
      >
        {(record) => (
          <ReconciliationForm
            initialValues={toReconciliationValues(record)}
            save={(values) => update(toReconciliationBody(values, record.version))}
            texts={{ ...reconciliationMessages, saved: reconciliationMessages.updated }}
            submitLabel="Save comparison"
            cancelPath={paths.reconciliation(id)}
          />
        )}
      </FormLoader>
    </Page>
  )
}
