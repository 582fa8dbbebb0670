import { useState } from 'react'
import { paths } from '../../entities/paths.ts'
import { Page } from '../../ui/page/page.tsx'
import { ReconciliationForm } from './reconciliation-form.tsx'
import { useCreateReconciliation } from './reconciliation-queries.ts'
import { newReconciliationValues, toReconciliationBody } from './reconciliation-values.ts'
import { reconciliationMessages } from './reconciliation-words.ts'

export function ReconciliationCreatePage() {
  const create = useCreateReconciliation()
  const [initialValues] = useState(newReconciliationValues)
  return (
    <Page title="New comparison">
      <ReconciliationForm
        initialValues={initialValues}
        save={(values) => create(toReconciliationBody(values))}
        texts={{ ...reconciliationMessages, saved: reconciliationMessages.created }}
        submitLabel="Create comparison"
        cancelPath={paths.reconciliations}
      />
    </Page>
  )
}
