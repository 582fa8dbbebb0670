import { Page } from '../../ui/page.tsx'
import { ApiForm } from './api-form.tsx'
import { newApiValues, toApiInput } from './api-form-values.ts'
import { useCreateApi } from './api-queries.ts'
import { apisMessages } from './apis-messages.ts'

export function ApiCreatePage() {
  const create = useCreateApi()
  return (
    <Page title="Create a New API" isNarrow>
      <ApiForm
        initialValues={newApiValues}
        save={(values) => create(toApiInput(values))}
        texts={{ ...apisMessages, saved: apisMessages.created }}
      />
    </Page>
  )
}
